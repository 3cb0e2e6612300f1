#include "graphs/gram_source.hpp"

#include <algorithm>
#include <cmath>

#include "support/sample.hpp"

namespace tamis::test {
namespace {

double naive_squared_distance(const Dense& x, Index i, Index j) {
  double sum = 0.0;
  for (Index r = 0; r < x.cols; ++r) sum += std::pow(x(i, r) - x(j, r), 2);
  return sum;
}

/// The key of two held rows, from their product: what a search ranks by.
double key_of(const GramSource& rows, Index a, Index b, float product) {
  return std::max(0.0, rows.squared_norms[a] + rows.squared_norms[b] - 2.0 * product);
}

/// Calls visit(a, b, product) for all positions, tile by tile.
template <class Visit>
void for_each_product(const GramSource& rows, const Visit& visit) {
  const auto worker = rows.worker();
  for (Index first = 0; first < rows.size(); first += rows.panel_rows) {
    const Index height = std::min(rows.panel_rows, rows.size() - first);
    std::vector<Index> panel(height);
    for (Index s = 0; s < height; ++s) panel[s] = first + s;
    worker->set_panel(panel);
    for (Index begin = 0; begin < rows.size(); begin += rows.chunk_rows) {
      const Index end = std::min(rows.size(), begin + rows.chunk_rows);
      const float* const tile = worker->tile(height, begin, end);
      for (Index s = 0; s < height; ++s)
        for (Index t = begin; t < end; ++t)
          visit(first + s, t, tile[s * (end - begin) + (t - begin)]);
    }
  }
}

TEST(GramSource, KeepsItsBoundsOnTheErrorOfKeys) {
  for (const double offset : {0.0, 1e4}) {
    Dense x = random_table(150, 40, 3);
    for (Index i = 0; i < x.rows; ++i)
      for (Index r = 0; r < x.cols; ++r) x(i, r) = static_cast<float>(x(i, r) + offset);
    for (const Storage storage : kStorages) {
      SCOPED_TRACE(name_of(storage));
      const StoredSample stored({.x = x}, storage);
      const std::vector<Index> among = all_indices(x.rows);
      const auto rows = gram_source(stored.problem().matrix, among);
      ASSERT_EQ(rows->size(), x.rows);
      for_each_product(*rows, [&](Index a, Index b, float product) {
        if (a == b) return;
        const double distance = naive_squared_distance(x, a, b);
        const double key = key_of(*rows, a, b, product);
        EXPECT_LE(key, rows->largest_key(a, distance));
        EXPECT_LE(
            distance * (1.0 - 1e-12),
            rows->largest_squared_distance(rows->squared_norms[a], rows->squared_norms[b], key));
      });
    }
  }
}

TEST(GramSource, KnowsThatProductsOfSmallIntegersAreExact) {
  Dense x = random_table(30, 12, 5);
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r) x(i, r) = std::round(3.0 * x(i, r));
  const std::vector<Index> among = all_indices(x.rows);
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    const auto rows = gram_source(stored.problem().matrix, among);
    EXPECT_TRUE(rows->error_free);
    const double unit = rows->scale * rows->scale;
    for_each_product(*rows, [&](Index a, Index b, float product) {
      EXPECT_EQ(key_of(*rows, a, b, product) / unit, naive_squared_distance(x, a, b));
    });
  }
  x(0, 0) += 0.5;
  const StoredSample stored({.x = x}, Storage::dense_double);
  EXPECT_FALSE(gram_source(stored.problem().matrix, among)->error_free);
}

TEST(UnitScale, IsAPowerOfTwoThatBringsASumOfSquaresNearOne) {
  for (const double sum : {1e-300, 0.3, 1.0, 7.0, 1e300}) {
    const double scale = unit_scale(sum);
    int exponent = 0;
    EXPECT_EQ(std::frexp(scale, &exponent), 0.5) << sum;
    EXPECT_GE(sum * scale * scale, 0.2) << sum;
    EXPECT_LE(sum * scale * scale, 5.0) << sum;
  }
}

}  // namespace
}  // namespace tamis::test
