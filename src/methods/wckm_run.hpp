#pragma once

#include "clustering/weighted/fuzzy_run.hpp"
#include "clustering/weighted/weight_runs.hpp"
#include "clustering/weighted/weighted_plan.hpp"
#include "tamis/methods/wckm.hpp"

namespace tamis {

/// @throws InvalidArgument or DataError as wckm_clustering does, but for values
WeightedPlan plan_of(const WckmOptions& options, const Knowledge& known, Index n_rows, Index n_cols,
                     const ClusterGiven& given);

/// What one run of wckm leaves.
struct WckmResult {
  Clustering clustering = {};  ///< without memberships
  std::vector<double> weights = {};
  MembershipRecipe recipe = {};
  double soft_violations = 0.0;
  Index moved_by_links = 0;  ///< rows that would be elsewhere at its end if links did not count

  bool has_settled() const { return clustering.converged; }
};

/// One run of wckm, a step at a time, until it settles or has had its iterations.
class WckmRun {
 public:
  WckmRun(const ClusterSetting& setting, const WckmOptions& options, ClusterStart start,
          Index number);

  bool is_done() const;
  void step() { note(run_.step()); }
  void step(FuzzyRun::FreeRows free) { note(run_.step(std::move(free))); }

  const FuzzyRun& now() const { return run_; }
  WckmResult result() const;

 private:
  void note(const FuzzyRun::Step& step);

  Index max_iter_;
  FuzzyRun run_;
  FuzzyRun::Step last_;
  Clustering found_;  // its iterations
};

/// All runs, and what there is to say of them.
struct Wckm {
  using OneRun = WckmRun;
  using Options = WckmOptions;

  WeightRuns<WckmResult> runs = {};
  std::vector<std::string> warnings = {};
  Index moved_by_links = 0;

  void add(WckmResult result) {
    moved_by_links += result.moved_by_links;
    runs.add(std::move(result));
  }
  /// Once all are there: warns if links did nothing.
  void finish(const ClusterSetting& setting, const WckmOptions& options);
};

/// @throws InvalidArgument if no weights are learned
void check_rankable(const WckmOptions& options);
Ranking ranking_of(const Wckm& all, const ClusterSetting& setting, const WckmOptions& options,
                   Diagnostics diagnostics);

}  // namespace tamis
