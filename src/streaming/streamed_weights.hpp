#pragma once

#include <optional>
#include <vector>

#include "clustering/weighted/cluster_setting.hpp"
#include "clustering/weighted/weighted_plan.hpp"
#include "prepare/owned_problem.hpp"
#include "streaming/row_places.hpp"
#include "streaming/streamed_clustering.hpp"
#include "streaming/weighted_sets.hpp"

namespace tamis {

/// What wckm and l2gfs ask: the first pass fetches the rows that starts are drawn from, a sample,
/// and those that have links, which stay: each waits for the ones before it. Then each pass looks
/// at all others, for all runs at once, until each run has settled.
class StreamedWeights : public Conversation {
 public:
  /// What comes of it: clusters of rows, which must be kept then, or a ranking.
  enum class For { clusters, ranking };

  StreamedWeights(StreamedProblem problem, WeightedPlan plan, ClusterGiven given,
                  std::uint64_t seed, For what);

  std::vector<PassPlan> passes() const override;
  bool is_open_ended() const override { return !settled(); }
  Index result_bytes() const override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;

  virtual Clustering clustering(const Run& run) = 0;
  virtual Ranking ranking(const Run& run) = 0;

 protected:
  virtual std::string_view kind() const = 0;  ///< of its passes
  virtual void begin_run(ClusterStart start, Index number) = 0;
  virtual bool is_done(Index run) const = 0;
  virtual Pass question(const std::vector<Index>& runs) = 0;
  virtual RowPlaces places_of(PassState& state) = 0;
  /// @param clusters of all rows, those with links as the answer has them
  /// @param changed of these rows
  /// @returns whether these clusters are the ones that count, so far
  virtual bool go_on(Index run, PassState& state, Index set, const std::vector<Index>& clusters,
                     Index changed) = 0;

  const StreamedProblem& problem() const { return problem_; }
  const WeightedPlan& plan() const { return plan_; }
  const ColumnRanges& ranges() const { return *ranges_; }
  const std::vector<Index>& linked() const { return linked_; }
  /// Rows with links alone, in units of the whole table.
  const ClusterSetting& setting() const { return *setting_; }
  const ClusterStart& start_of(Index run) const { return runs_[run].start; }
  Diagnostics begin_diagnostics() const;
  /// Of all rows, given those with links.
  std::vector<Index> clusters_of(Index run, std::span<const Index> linked) const;

 private:
  bool settled() const;
  void begin(PassState& state);
  std::vector<Index> running() const;
  Index n_runs() const { return given_.start ? 1 : plan_.restarts; }

  struct Kept {
    ClusterStart start;
    Index set = 0;                                     // of the last pass in which it was
    std::optional<RowPlaces> clusters = std::nullopt;  // that count
  };

  StreamedProblem problem_;
  WeightedPlan plan_;
  ClusterGiven given_;
  Run run_;
  For what_;
  std::vector<Index> linked_;
  std::vector<Index> sample_;
  std::optional<ColumnRanges> ranges_ = std::nullopt;
  std::optional<OwnedProblem> linked_rows_ = std::nullopt;
  std::optional<ClusterSetting> setting_ = std::nullopt;
  std::vector<Kept> runs_;
  std::optional<RowPlaces> places_ = std::nullopt;  // of the last pass
  std::size_t passes_done_ = 0;
};

/// One that ends with clusters, and one that ends with a ranking.
std::unique_ptr<ClusteringConversation> for_clusters(std::unique_ptr<StreamedWeights> asked);
std::unique_ptr<RankingConversation> for_ranking(std::unique_ptr<StreamedWeights> asked);

}  // namespace tamis
