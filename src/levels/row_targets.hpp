#pragma once

#include <functional>
#include <vector>

#include "levels/fixed_weights.hpp"

namespace tamis {

/// Shares of classes, and columns of targets in standard deviations, are whole multiples of this.
inline constexpr double kTargetUnit = 1.0 / (1 << 20);

/// A target that is computed row by row: shares of classes, the softmax of products with centred
/// rows of codes, and further products as they are.
struct RowTarget {
  Index classes = 0;
  Index components = 0;

  Index width() const { return classes + components; }
};

/// Several of them, whose weights stand side by side.
struct RowTargets {
  FixedWeights weights = {};
  std::vector<RowTarget> targets = {};
  double temperature = 1.0;
};

/// Replaces scores of classes by their shares, in whole units: exp(temperature s_c) over their sum.
void to_shares(double* scores, Index classes, double temperature);

/// Calls visit(r, sums) for each column r, several at once: sums[c] = sum_i codes(i, r) values[i *
/// width + c] of whole numbers, exactly.
void for_each_product(const Buffer<double>& codes, Index rows, Index cols, const double* values,
                      Index width,
                      const std::function<void(Index column, const double* sums)>& visit);

/// to += from
void add_all(std::vector<Int128>& to, const std::vector<Int128>& from);

}  // namespace tamis
