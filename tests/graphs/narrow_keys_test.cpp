#include "graphs/narrow_keys.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/cpu.hpp"
#include "graphs/key_panel.hpp"
#include "support/naive_products.hpp"
#include "support/sample.hpp"

namespace tamis::test {
namespace {

/// Bounds hold what exact distances are, padding and rows themselves are infinitely far, and groups
/// have the smallest of all keys.
void expect_keys(const Dense& x, const NarrowKeys& source) {
  std::vector<float> keys(source.panel_rows * source.padded_rows);
  std::vector<float> minima(source.panel_rows * kColumnGroups);
  for (Index first = 0; first < x.rows; first += source.panel_rows) {
    const Index height = std::min(source.panel_rows, x.rows - first);
    source.fill(first, height, keys.data(), minima.data());
    for (Index s = 0; s < height; ++s) {
      const Index a = first + s;
      const float* const row = &keys[s * source.padded_rows];
      for (Index b = 0; b < source.padded_rows; ++b) {
        if (b == a || b >= x.rows) {
          ASSERT_EQ(row[b], HUGE_VALF);
          continue;
        }
        const double distance = exact_squared_distance(x, a, b);
        ASSERT_GE(row[b], 0.0F);
        ASSERT_LE(row[b], source.largest_key(a, distance)) << a << ", " << b;
        ASSERT_LE(distance * (1.0 - 1e-12),
                  source.largest_squared_distance(source.squared_norms[a], source.squared_norms[b],
                                                  row[b]));
      }
      const float* const groups = &minima[s * kColumnGroups];
      ASSERT_EQ(*std::min_element(groups, groups + kColumnGroups),
                *std::min_element(row, row + x.rows));
      ASSERT_TRUE(std::all_of(groups, groups + kColumnGroups, [&](float smallest) {
        return smallest == HUGE_VALF || std::find(row, row + x.rows, smallest) != row + x.rows;
      }));
    }
  }
}

TEST(NarrowKeys, KeepTheirBoundsOnEveryTarget) {
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    SCOPED_TRACE(std::string(tamis::name_of(target)));
    for (const auto& [rows, cols] : {std::pair<Index, Index>{70, 1},
                                     {65, 17},
                                     {150, 9},
                                     {256, 20},
                                     {257, 16},
                                     {290, 31},
                                     {400, 70}}) {
      const Dense x = random_table(rows, cols, 1);
      const std::vector<Index> among = all_indices(rows);
      const DenseView<double> view(x.values.data(), rows, cols);
      expect_keys(x, *float_narrow_keys(view, among));
      if (const auto integers = integer_narrow_keys(view, among)) expect_keys(x, *integers);
    }
  }
}

TEST(NarrowKeys, AreExactForSmallIntegers) {
  Dense x = random_table(260, 20, 3);
  for (double& value : x.values) value = std::round(3.0 * value);
  const std::vector<Index> among = all_indices(x.rows);
  const DenseView<double> view(x.values.data(), x.rows, x.cols);
  EXPECT_TRUE(float_narrow_keys(view, among)->error_free);
  if (const auto integers = integer_narrow_keys(view, among)) {
    EXPECT_TRUE(integers->error_free);
    expect_keys(x, *integers);
  }
}

TEST(NarrowKeys, AreOfFloatsInSmallTables) {
  const Dense x = random_table(255, 70, 2);
  const DenseView<double> view(x.values.data(), x.rows, x.cols);
  EXPECT_EQ(integer_narrow_keys(view, all_indices(x.rows)), nullptr);
}

}  // namespace
}  // namespace tamis::test
