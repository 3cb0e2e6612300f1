#pragma once

#include <cstdint>
#include <vector>

#include "clustering/weighted/hard_run.hpp"
#include "streaming/fixed_point_sums.hpp"
#include "streaming/pass.hpp"
#include "streaming/row_places.hpp"
#include "streaming/weighted_sets.hpp"

namespace tamis {

/// Asks which cluster is nearest to each row by the weights of each cluster, for each of some sets
/// of clusters, and for the sums of the rows of each cluster and of their squares, in fixed point.
class MemberSumsState : public PassState {
 public:
  static constexpr std::string_view kKind = "members";
  struct Question {
    std::vector<const ClusterStart*> sets;  ///< with weights of each cluster
    const ColumnRanges& ranges;
    double beta = 0.0;
    std::vector<Index> bound = {};                  ///< rows that do not go to their nearest one,
    std::vector<std::vector<Index>> bound_to = {};  ///< but to these, of each set
  };
  static Pass pass(const Question& question);

  explicit MemberSumsState(const Pass& pass);
  MemberSumsState(const Pass& pass, std::span<const std::byte> bytes);

  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  ClusterMoments moments(Index set) const;
  RowPlaces take_places() { return std::move(places_); }

 private:
  std::vector<Index> nearest(const MatrixView& block, const ScaledCenters<double>& centers,
                             std::span<const Index> rows) const;
  void add_members(const MatrixView& block, std::span<const Index> clusters, Index set);
  FixedPointColumns columns(Index set, Index cluster, Index first, Index count);
  std::array<std::vector<std::int64_t>*, 4> sums() { return {&counts_, &values_, &high_, &low_}; }
  Index cols() const { return units_.cols(); }

  ColumnUnits units_;
  FixedPointScales scales_{{}};
  Index n_clusters_ = 0;
  std::vector<Index> bound_;
  std::vector<std::vector<Index>> bound_to_;
  std::vector<ScaledCenters<double>> sets_;
  std::vector<std::int64_t> counts_;  // sets x clusters
  std::vector<std::int64_t> values_;  // sets x clusters x columns
  std::vector<std::int64_t> high_;    // likewise, of squares
  std::vector<std::int64_t> low_;
  RowPlaces places_{1, 1};
};

}  // namespace tamis
