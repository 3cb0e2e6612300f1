#pragma once

#include <algorithm>
#include <vector>

#include "graphs/gram_source.hpp"
#include "support/sample.hpp"

namespace tamis::test {

/// By plain loops, with more digits than any of our kernels.
inline double exact_squared_distance(const Dense& x, Index i, Index j) {
  long double sum = 0.0L;
  for (Index r = 0; r < x.cols; ++r) {
    const long double difference = static_cast<long double>(x(i, r)) - x(j, r);
    sum += difference * difference;
  }
  return static_cast<double>(sum);
}

/// The key of two held rows, from their product: what a search ranks by.
inline double key_of(const GramSource& rows, Index a, Index b, float product) {
  return std::max(0.0, rows.squared_norms[a] + rows.squared_norms[b] - 2.0 * product);
}

/// Calls visit(a, b, product) for all positions, tile by tile, or for those b after a.
template <class Visit>
void for_each_product(const GramSource& rows, const Visit& visit,
                      GramSource::Needed needed = GramSource::Needed::all) {
  const auto worker = rows.worker();
  for (Index first = 0; first < rows.size(); first += rows.panel_rows) {
    const Index height = std::min(rows.panel_rows, rows.size() - first);
    std::vector<Index> panel(height);
    for (Index s = 0; s < height; ++s) panel[s] = first + s;
    worker->set_panel(panel);
    for (Index begin = 0; begin < rows.size(); begin += rows.chunk_rows) {
      const Index end = std::min(rows.size(), begin + rows.chunk_rows);
      const float* const tile = worker->tile(height, begin, end, needed);
      for (Index s = 0; s < height; ++s)
        for (Index t = begin; t < end; ++t)
          if (needed == GramSource::Needed::all || t > first + s)
            visit(first + s, t, tile[s * (end - begin) + (t - begin)]);
    }
  }
}

/// What is left out where each pair is needed once changes nothing of the others.
inline void expect_same_products_of_later_rows(const GramSource& rows) {
  std::vector<float> products(rows.size() * rows.size());
  for_each_product(
      rows, [&](Index a, Index b, float product) { products[a * rows.size() + b] = product; });
  const auto compare = [&](Index a, Index b, float product) {
    ASSERT_FLOAT_EQ(product, products[a * rows.size() + b]) << a << ", " << b;
  };
  for_each_product(rows, compare, GramSource::Needed::later);
}

}  // namespace tamis::test
