#include "graphs/key_panel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

/// Rows in blocks of kColumnGroups, feature by feature, with what NarrowColumns wants besides.
struct Held {
  Held(Index n, Index m) : rows(n), cols(m) {
    padded = (rows + kColumnGroups - 1) / kColumnGroups * kColumnGroups;
    values.assign(padded * cols, 0.0F);
    norms.assign(padded, HUGE_VALF);
    RandomStream random(2);
    for (Index i = 0; i < rows; ++i) {
      double norm = 0.0;
      for (Index c = 0; c < cols; ++c) {
        const auto value = static_cast<float>(random.uniform() - 0.5);
        values[place(i, c)] = value;
        norm += std::pow(static_cast<double>(value), 2);
      }
      norms[i] = static_cast<float>(norm);
    }
  }
  Index place(Index i, Index c) const {
    return (i / kColumnGroups * cols + c) * kColumnGroups + i % kColumnGroups;
  }
  double squared_distance(Index i, Index j) const {
    double sum = 0.0;
    for (Index c = 0; c < cols; ++c)
      sum += std::pow(static_cast<double>(values[place(i, c)]) - values[place(j, c)], 2);
    return sum;
  }
  NarrowColumns columns() const { return {values.data(), norms.data(), cols, rows, padded}; }

  Index rows, cols, padded = 0;
  std::vector<float> values = {};
  std::vector<float> norms = {};
};

/// The keys of a row, and the smallest of their groups, are what they ought to be.
void expect_row(const Held& held, Index row, const float* keys, const float* minima) {
  std::vector<float> smallest(kColumnGroups, HUGE_VALF);
  for (Index j = 0; j < held.padded; ++j) {
    if (j == row || j >= held.rows)
      ASSERT_EQ(keys[j], HUGE_VALF);
    else
      ASSERT_NEAR(keys[j], held.squared_distance(row, j), 1e-6 * static_cast<double>(held.cols));
    ASSERT_GE(keys[j], 0.0F);
    smallest[j % kColumnGroups] = std::min(smallest[j % kColumnGroups], keys[j]);
  }
  ASSERT_TRUE(std::equal(smallest.begin(), smallest.end(), minima));
}

TEST(KeyPanel, HoldsSquaredDistancesAndTheSmallestOfEachGroup) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{100, 1}, {128, 7}, {200, 30}}) {
    const Held held(rows, cols);
    for (Index first = 0; first < rows; first += kPanelRows) {
      const Index height = std::min(kPanelRows, rows - first);
      std::vector<float> keys(kPanelRows * held.padded);
      std::vector<float> minima(kPanelRows * kColumnGroups);
      fill_key_panel(held.columns(), first, height, keys.data(), minima.data());
      for (Index s = 0; s < height; ++s)
        expect_row(held, first + s, &keys[s * held.padded], &minima[s * kColumnGroups]);
    }
  }
}

TEST(KeySquare, HoldsTheKeysOfAllRowsOnEveryTarget) {
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    const TargetLimit limit(target);
    for (const Index rows : {1, 15, 17, 64, 100, 129, 255}) {
      const Held held(rows, 9);
      std::vector<float> keys(held.padded * held.padded);
      std::vector<float> minima(held.padded * kColumnGroups);
      fill_key_square(held.columns(), keys.data(), minima.data());
      for (Index row = 0; row < rows; ++row)
        expect_row(held, row, &keys[row * held.padded], &minima[row * kColumnGroups]);
    }
  }
}

}  // namespace
}  // namespace tamis
