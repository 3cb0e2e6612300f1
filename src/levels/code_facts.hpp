#pragma once

#include <cstdint>
#include <span>

#include "levels/level_tree.hpp"

namespace tamis {

__extension__ using Int128 = __int128;

/// What the counts of its codes tell of a column.
struct CodeFacts {
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  double deviation = 0.0;  ///< population standard deviation
  double mean = 0.0;
  /// (mean |z - median z|)^2 of the column with mean 0 and variance 1; 0 if it is constant.
  double spread = 0.0;
  Index most_frequent = 0;  ///< rows that share a code
};

CodeFacts facts_of(std::span<const CodeCount> counts, Index rows);

/// n sum xy - (sum x)(sum y) of two columns of n codes, n^2 times their covariance: exact.
Int128 scaled_covariance(Index n, std::int64_t products, std::int64_t sum_x, std::int64_t sum_y);

/// sum xy - (sum x)(sum y)/n, of which the difference is exact.
double centred_sum(Index n, Int128 products, Int128 sum_x, Int128 sum_y);

}  // namespace tamis
