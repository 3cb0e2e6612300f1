#pragma once

#include <optional>
#include <vector>

#include "clustering/kmeans/kmeans_plan.hpp"
#include "streaming/center_sums.hpp"
#include "streaming/streamed_clustering.hpp"

namespace tamis {

/// k-means, seeded or constrained: the first pass fetches the rows that starts are made of, a
/// sample where chance draws; then each pass places all rows, for all restarts at once, and moves
/// their centroids, until each restart has settled. From the same start, rows are where they are in
/// memory, but for what 31 bits of fixed point change of a centroid.
class StreamedKmeans : public ClusteringConversation {
 public:
  /// @throws DataError as the clusterings say
  StreamedKmeans(StreamedProblem problem, const KmeansPlan& plan, ClusterGiven given,
                 std::uint64_t seed);

  std::vector<PassPlan> passes() const override;
  bool is_open_ended() const override { return !settled(); }
  Index result_bytes() const override;
  std::optional<Pass> next_pass() override;
  void accept(std::unique_ptr<PassState> state) override;
  Clustering result(const Run& run) override;

 private:
  struct Restart {
    ClusterStart start;
    Clustering found = {};
    Index set = 0;  // of the last pass in which it was
    bool is_done = false;
  };

  Index n_restarts() const { return draws_ ? plan_.restarts : 1; }
  bool settled() const;
  void begin(PassState& answer);
  void go_on(Restart& restart, const CenterSumsState& answer, std::vector<Index> clusters);
  void move_centroids(Restart& restart, const CenterSumsState& answer) const;

  StreamedProblem problem_;
  KmeansPlan plan_;
  ClusterGiven given_;
  std::uint64_t seed_;
  KmeansSetting setting_;
  bool draws_;                 // whether chance decides where some centroids begin
  std::vector<Index> sample_;  // of which starts are made
  std::vector<BoundRow> bound_;
  std::optional<ColumnRanges> ranges_ = std::nullopt;
  std::vector<Restart> restarts_;
  std::optional<RowPlaces> places_ = std::nullopt;  // of the last pass
  std::size_t passes_done_ = 0;
  const Restart* best_ = nullptr;  // of those that are done; only it keeps its clusters
};

}  // namespace tamis
