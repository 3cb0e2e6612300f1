#include "graphs/gram_integer.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "support/naive_products.hpp"
#include "support/sample.hpp"

namespace tamis::test {
namespace {

std::unique_ptr<GramSource> integer_source(const StoredSample& stored,
                                           const std::vector<Index>& among) {
  return stored.problem().matrix.visit([&](const auto& view) -> std::unique_ptr<GramSource> {
    if constexpr (requires { view.row(0)[0]; })
      return integer_gram_source(view, among);
    else
      return nullptr;
  });
}

/// Keys of all pairs, and whether bounds hold what exact distances are.
void expect_bounds(const Dense& x, Storage storage) {
  const StoredSample stored({.x = x}, storage);
  const std::vector<Index> among = all_indices(x.rows);
  const auto rows = integer_source(stored, among);
  ASSERT_NE(rows, nullptr);
  for_each_product(*rows, [&](Index a, Index b, float product) {
    if (a == b) return;
    const double distance = exact_squared_distance(x, a, b);
    const double key = key_of(*rows, a, b, product);
    ASSERT_LE(key, rows->largest_key(a, distance)) << a << ", " << b;
    ASSERT_LE(distance * (1.0 - 1e-12),
              rows->largest_squared_distance(rows->squared_norms[a], rows->squared_norms[b], key))
        << a << ", " << b;
  });
}

void expect_bounds(const Dense& x, const std::string& what) {
  Dense floats = x;
  for (double& value : floats.values) value = static_cast<double>(static_cast<float>(value));
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    SCOPED_TRACE(what + ", " + std::string(tamis::name_of(target)));
    expect_bounds(x, Storage::dense_double);
    expect_bounds(floats, Storage::dense_float);
  }
}

template <class Change>
Dense changed(Dense x, const Change& change) {
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < x.cols; ++r) x(i, r) = change(i, r, x(i, r));
  return x;
}

TEST(IntegerGramSource, KeepsItsBoundsOverAwkwardSizes) {
  for (const Index rows : {2, 47, 48, 49, 130})
    for (const Index cols : {1, 2, 3, 255, 256, 257, 600})
      expect_bounds(random_table(rows, cols, 1),
                    std::to_string(rows) + " x " + std::to_string(cols));
}

TEST(IntegerGramSource, KeepsItsBoundsFarFromTheOriginAndAtAnySize) {
  const Dense x = random_table(60, 70, 2);
  expect_bounds(changed(x, [](Index, Index, double v) { return v + 1e6; }), "offset");
  for (const double size : {1e-30, 1e-18, 1e18})
    expect_bounds(changed(x, [&](Index, Index, double v) { return size * v; }), "size");
}

/// One value of a row is as long as all others together, or longer: the largest integers.
TEST(IntegerGramSource, KeepsItsBoundsWhereOneValueStandsOut) {
  for (const double peak : {30.0, 1e4, 1e7})
    expect_bounds(changed(random_table(60, 300, 3),
                          [&](Index i, Index r, double v) { return r == i ? peak : v; }),
                  "peak");
}

/// Values between two integers, all rounded in the direction that brings rows nearer to each other
/// or farther apart: the most that rounding can do.
TEST(IntegerGramSource, KeepsItsBoundsWhereAllRoundingsAgree) {
  for (const double fraction : {0.5, 0.499, 0.501, 0.25})
    for (const Index cols : {64, 600}) {
      RandomStream random(4);
      Dense x(60, cols);
      const double root = std::sqrt(static_cast<double>(std::min<Index>(cols, 256)));
      const double unit = root / (46340.0 - 16.0);  // of a row whose values are about 1
      for (Index i = 0; i < x.rows; ++i)
        for (Index r = 0; r < x.cols; ++r) {
          const double integer = std::floor(1.0 / unit) + static_cast<double>(random.below(3));
          const double value = (integer + (i % 4 < 2 ? fraction : 1.0 - fraction)) * unit;
          x(i, r) = (i + r) % 2 == 0 ? value : -value;
        }
      expect_bounds(x, "fraction");
    }
}

TEST(IntegerGramSource, GivesEachPairOnceIfThatIsAllThatIsNeeded) {
  const Dense x = random_table(700, 40, 7);
  const StoredSample stored({.x = x}, Storage::dense_float);
  const std::vector<Index> among = all_indices(x.rows);
  expect_same_products_of_later_rows(*integer_source(stored, among));
}

TEST(IntegerGramSource, HoldsSmallIntegersExactly) {
  const std::vector<Index> among = all_indices(60);
  for (const double size : {1.0, 20.0}) {
    const Dense x = changed(random_table(60, 300, 5),
                            [&](Index, Index, double v) { return std::round(size * v); });
    const StoredSample stored({.x = x}, Storage::dense_float);
    const auto rows = integer_source(stored, among);
    ASSERT_TRUE(rows->error_free);
    for_each_product(*rows, [&](Index a, Index b, float product) {
      EXPECT_EQ(key_of(*rows, a, b, product) / (rows->scale * rows->scale),
                exact_squared_distance(x, a, b));
    });
  }
  const Dense large = changed(random_table(60, 300, 5),
                              [](Index, Index, double v) { return std::round(2000.0 * v); });
  const StoredSample stored({.x = large}, Storage::dense_float);
  EXPECT_FALSE(integer_source(stored, among)->error_free);
  expect_bounds(large, "large integers");
}

TEST(IntegerGramSource, IsNotThereForWhatItCannotHold) {
  for (const double size : {1e-300, 1e300}) {
    const Dense x =
        changed(random_table(20, 5, 6), [&](Index, Index, double v) { return size * v; });
    const StoredSample stored({.x = x}, Storage::dense_double);
    const std::vector<Index> among = all_indices(x.rows);
    EXPECT_EQ(integer_source(stored, among), nullptr) << size;
  }
}

}  // namespace
}  // namespace tamis::test
