#pragma once

#include <algorithm>
#include <cmath>

#include "support/sample.hpp"

namespace tamis::test {

/// |rho| of two columns word for word, in extended precision.
inline double naive_correlation(const Dense& x, Index a, Index b) {
  const auto n = static_cast<long double>(x.rows);
  long double mean_a = 0;
  long double mean_b = 0;
  for (Index i = 0; i < x.rows; ++i) {
    mean_a += x(i, a) / n;
    mean_b += x(i, b) / n;
  }
  long double product = 0;
  long double square_a = 0;
  long double square_b = 0;
  bool varies_a = false;
  bool varies_b = false;
  for (Index i = 0; i < x.rows; ++i) {
    product += (x(i, a) - mean_a) * (x(i, b) - mean_b);
    square_a += (x(i, a) - mean_a) * (x(i, a) - mean_a);
    square_b += (x(i, b) - mean_b) * (x(i, b) - mean_b);
    varies_a = varies_a || x(i, a) != x(0, a);
    varies_b = varies_b || x(i, b) != x(0, b);
  }
  if (!varies_a || !varies_b) return 0.0;
  return static_cast<double>(std::abs(product) / std::sqrt(square_a * square_b));
}

}  // namespace tamis::test
