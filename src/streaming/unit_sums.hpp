#pragma once

#include <cstdint>
#include <vector>

#include "clustering/som/som.hpp"
#include "streaming/fixed_point_sums.hpp"
#include "streaming/pass.hpp"

namespace tamis {

/// Asks which unit of a map is nearest to each row, and for the sum of the rows at each unit, in
/// fixed point. Some rows are left out: those that are known.
class UnitSumsState : public PassState {
 public:
  static constexpr std::string_view kKind = "map";
  /// @param left_out rows, ascending
  static Pass pass(const Som& som, const ColumnRanges& ranges, std::span<const Index> left_out);
  /// Memory that the state of so many units takes, with what it is made of.
  static Index bytes(Index units, Index cols);

  explicit UnitSumsState(const Pass& pass);
  UnitSumsState(const Pass& pass, std::span<const std::byte> bytes);

  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  UnitSums sums() const;
  /// Mean distance of a row and its unit.
  double mean_distance() const;

 private:
  std::vector<double> codebook_;
  std::vector<FixedPoint> columns_;
  FixedPoint distance_;  // of a row and its unit, the farthest being across all ranges
  std::vector<Index> left_out_;
  std::vector<std::int64_t> sums_;    // units x columns
  std::vector<std::int64_t> counts_;  // of rows at each unit
  std::int64_t distances_ = 0;
};

}  // namespace tamis
