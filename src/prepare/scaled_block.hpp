#pragma once

#include <array>
#include <span>

#include "prepare/scale.hpp"

namespace tamis {

/// Some columns of a few rows of a table, scaled, one column after the other: what kernels read
/// that compare two blocks of rows.
class ScaledBlock {
 public:
  static constexpr Index kRows = 64;
  static constexpr Index kColumns = 32;

  /// At most kRows rows and kColumns columns.
  void load(const MatrixView& x, std::span<const Index> rows, std::span<const Index> columns,
            const Scaling& scaling);
  /// kRows values; 0 beyond the rows.
  const double* column(Index place) const { return values_.data() + place * kRows; }

 private:
  std::array<double, kRows * kColumns> values_{};
};

/// One number for each pair of a row of one block and a row of another: a * kRows + b.
using BlockPairs = std::array<double, ScaledBlock::kRows * ScaledBlock::kRows>;

/// distances[a, b] += (left[a] - right[b])^2: what one column adds.
void add_squared_differences(const double* left, Index left_rows, const double* right,
                             BlockPairs& distances);

}  // namespace tamis
