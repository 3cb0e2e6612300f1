#pragma once

#include <optional>

#include "streaming/streamed_clustering.hpp"
#include "streaming/streamed_map.hpp"

namespace tamis {

/// A map of all rows, or of some, and the unit of each.
class StreamedSom : public ClusteringConversation {
 public:
  /// @param rows that the map is of; unset: all
  /// @throws DataError for fewer than 4 rows
  StreamedSom(StreamedProblem problem, const SomOptions& options,
              const std::optional<std::vector<Index>>& rows, std::uint64_t seed);

  std::vector<PassPlan> passes() const override { return map_.passes(); }
  Index result_bytes() const override { return map_.result_bytes(); }
  std::optional<Pass> next_pass() override { return map_.next_pass(); }
  void accept(std::unique_ptr<PassState> state) override { map_.accept(std::move(state)); }
  Clustering result(const Run& run) override;
  std::shared_ptr<const SomSheet> map() const override {
    return std::make_shared<const SomSheet>(map_.som());
  }

 private:
  StreamedMap map_;
};

}  // namespace tamis
