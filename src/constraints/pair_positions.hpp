#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tamis/core/buffer.hpp"
#include "tamis/core/knowledge.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

class RowDistances;

/// Where rows fall on the lines through pairs of rows: 0 at the first end of a pair, 1 at its
/// second, what is beyond them counting as there. The projection of rows a and b overlaps pair q if
/// more than 1e-12 lies between their two positions. Positions come from differences of values, so
/// that an offset of the table costs no digits; those of a pair's own ends are exact. A pair
/// without length, or on one without, overlaps nothing.
///
/// Where columns are many and rows few, positions are told by the distances of rows from each
/// other, and computed only if that leaves open whether two of them are so near.
class PairPositions {
 public:
  /// O(rows x pairs x columns), or fewer, in parallel.
  PairPositions(const MatrixView& x, std::span<const Index> rows, std::span<const RowPair> pairs);

  Index n_pairs() const { return n_pairs_; }
  /// On how many of the pairs rows number a and b of the given ones do not overlap.
  Index count_misses(Index a, Index b) const;
  /// The same for every pair of at most kRowsAtOnce rows each, at a * kRowsAtOnce + b.
  static constexpr Index kRowsAtOnce = 32;
  using Counts = std::array<double, kRowsAtOnce * kRowsAtOnce>;
  void count_misses(std::span<const Index> left, std::span<const Index> right,
                    Counts& counts) const;
  /// On which of 64 pairs from the given one on, by bits.
  std::uint64_t misses(Index a, Index b, Index first) const;

 private:
  void locate(const MatrixView& x, std::span<const Index> rows, std::span<const RowPair> pairs);
  void estimate(const MatrixView& x, std::span<const Index> rows, std::span<const RowPair> pairs,
                const RowDistances& distances);
  const double* of_row(Index row) const { return positions_.data() + row * stride_; }

  Index n_pairs_;
  Index stride_;              // whole vectors
  Buffer<double> positions_;  // rows x pairs; NaN beyond the pairs
};

}  // namespace tamis
