#pragma once

#include <array>
#include <cstdint>
#include <set>

#include "clustering/weighted/hard_run.hpp"
#include "clustering/weighted/weight_runs.hpp"
#include "clustering/weighted/weighted_plan.hpp"
#include "tamis/methods/l2gfs.hpp"

namespace tamis {

/// @throws InvalidArgument or DataError as l2gfs_clustering does, but for values
WeightedPlan plan_of(const L2gfsOptions& options, const Knowledge& known, Index n_rows,
                     Index n_cols, const ClusterGiven& given);

/// What one run of l2gfs leaves.
struct L2gfsResult {
  Clustering clustering = {};
  std::vector<double> weights = {};
  Violations broken = {};  ///< by these clusters
  bool is_circle = false;

  bool has_settled() const { return clustering.converged || is_circle; }
};

/// One run of l2gfs, a step at a time, until it settles, comes back to an earlier assignment or has
/// had its iterations.
class L2gfsRun {
 public:
  L2gfsRun(const ClusterSetting& setting, const L2gfsOptions& options, ClusterStart start,
           Index number);

  bool is_done() const;
  void step() {
    const ClusterIteration iteration = run_.step();
    note(iteration, run_.clusters());
  }
  /// As HardRun::step; @param clusters of all rows
  void step(std::vector<Index> linked, Index changed, const ClusterMoments& moments,
            std::span<const Index> clusters) {
    note(run_.step(std::move(linked), changed, moments), clusters);
  }
  /// Whether the last step is the one that counts, so far.
  bool is_at_best() const { return is_at_best_; }

  const HardRun& now() const { return run_; }
  L2gfsResult result() const;

 private:
  /// Stands for an assignment: that two different ones share it is out of the question.
  using Fingerprint = std::array<std::uint64_t, 2>;
  static Fingerprint fingerprint(std::span<const Index> clusters);

  void note(const ClusterIteration& step, std::span<const Index> clusters);

  Index n_clusters_;
  Index max_iter_;
  HardRun run_;
  L2gfsResult found_;
  std::set<Fingerprint> seen_;
  bool is_at_best_ = false;
};

/// All runs, and what there is to say of them.
struct L2gfs {
  using OneRun = L2gfsRun;
  using Options = L2gfsOptions;

  WeightRuns<L2gfsResult> runs = {};
  std::vector<std::string> warnings = {};
  Index circles = 0;

  void add(L2gfsResult result) {
    circles += result.is_circle ? 1 : 0;
    runs.add(std::move(result));
  }
  /// Once all are there: warns if some went in circles.
  void finish(const ClusterSetting& setting, const L2gfsOptions& options);
};

Ranking ranking_of(const L2gfs& all, const ClusterSetting& setting, const L2gfsOptions& options,
                   Diagnostics diagnostics);

}  // namespace tamis
