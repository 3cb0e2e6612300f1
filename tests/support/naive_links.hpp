#pragma once

#include <algorithm>

#include "support/naive.hpp"
#include "support/sample.hpp"

namespace tamis::test {

/// The weights of the pairs of the labels and the given ones, closed: must-links are transitive,
/// and a cannot-link spreads along them. A pair weighs as much as the lightest on the best way to
/// it.
struct NaiveLinks {
  explicit NaiveLinks(const Sample& sample)
      : must(naive_must_links(sample)), cannot(naive_cannot_links(sample)) {
    const Index n = sample.x.rows;
    for (Index k = 0; k < n; ++k)
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          if (i != j) must.set(i, j, std::max(must(i, j), std::min(must(i, k), must(k, j))));
    for (int pass = 0; pass < 2; ++pass)  // along the must-links of either end
      for (Index k = 0; k < n; ++k)
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j)
            cannot.set(i, j, std::max(cannot(i, j), std::min(must(i, k), cannot(k, j))));
  }
  bool has(Index i) const {
    for (Index j = 0; j < must.n; ++j)
      if (must(i, j) > 0.0 || cannot(i, j) > 0.0) return true;
    return false;
  }

  RowMatrix must;
  RowMatrix cannot;
};

}  // namespace tamis::test
