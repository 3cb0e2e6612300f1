#include "graphs/gram_source.hpp"

#include <cmath>

#include "support/naive_products.hpp"
#include "support/sample.hpp"

namespace tamis::test {
namespace {

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
        const double distance = exact_squared_distance(x, a, b);
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
      EXPECT_EQ(key_of(*rows, a, b, product) / unit, exact_squared_distance(x, a, b));
    });
  }
  x(0, 0) += 0.5;
  const StoredSample stored({.x = x}, Storage::dense_double);
  EXPECT_FALSE(gram_source(stored.problem().matrix, among)->error_free);
}

TEST(GramSource, GivesEachPairOnceIfThatIsAllThatIsNeeded) {
  Dense x = random_table(700, 40, 6);
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r)
      if (r > 3 && (i + r) % 11 != 0) x(i, r) = 0.0;  // some columns are full, most are not
  const std::vector<Index> among = all_indices(x.rows);
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored({.x = x}, storage);
    expect_same_products_of_later_rows(*gram_source(stored.problem().matrix, among));
  }
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
