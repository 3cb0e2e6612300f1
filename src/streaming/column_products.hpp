#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "levels/code_facts.hpp"
#include "streaming/fixed_point_sums.hpp"
#include "streaming/pass.hpp"

namespace tamis {

/// Asks for the correlations of some columns: for sums over rows of their values in fixed point,
/// and of products of each two. Sums are exact, so the same for any order of rows.
class ColumnProductsState : public PassState {
 public:
  static constexpr std::string_view kKind = "correlations";
  /// @param columns in any order, each once
  /// @param ranges of all columns
  static Pass pass(const std::vector<Index>& columns, const ColumnRanges& ranges);
  /// Memory that the answer takes while it grows.
  static Index bytes(Index n_columns);

  explicit ColumnProductsState(const Pass& pass);
  ColumnProductsState(const Pass& pass, std::span<const std::byte> bytes);

  /// @throws IoError if a value is outside the range that its column had
  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  /// |rho| of two of the columns: 0 if one is constant, and exactly 1 if they are equal
  /// or one is the negative of the other.
  double absolute_correlation(Index column, Index other) const;

 private:
  struct Chunk;
  void read_chunk(const MatrixView& block, Index first, Index first_row, Chunk& chunk) const;
  void add_products(const Chunk& chunk, Index panel, Index other);
  /// n^2 times the covariance of two columns, by their places.
  Int128 covariance(Index place, Index other) const;

  std::vector<Index> columns_;
  std::vector<FixedPoint> points_;
  std::unordered_map<Index, Index> places_;  ///< of columns
  Index rows_ = 0;
  std::vector<std::int64_t> sums_;
  std::vector<Int128> products_;  ///< the lower triangle, row after row
};

}  // namespace tamis
