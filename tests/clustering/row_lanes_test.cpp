#include "clustering/weighted/row_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"

namespace tamis {
namespace {

constexpr Index kNumbersOfColumns[] = {1, 3, 8, 15, 16, 17, 40, 100};
constexpr Index kCenters = 7;
constexpr Index kTogether = 4;  // clusters whose squares are added up before others

template <class T>
std::vector<T> random_numbers(Index count, std::uint64_t seed) {
  RandomStream random(seed, 0);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(2.0 * random.uniform() - 1.0);
  return numbers;
}

/// Rows or centers, `padded` apart, with zeros behind their columns.
template <class T>
std::vector<T> padded_rows(Index count, Index cols, std::uint64_t seed) {
  std::vector<T> rows = random_numbers<T>(count * padded<T>(cols), seed);
  for (Index i = 0; i < std::ssize(rows); ++i)
    if (i % padded<T>(cols) >= cols) rows[i] = 0;
  return rows;
}

/// Calls body(columns) on each target that the machine has.
template <class Body>
void on_each_target(const Body& body) {
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
    SCOPED_TRACE(name_of(target));
    const TargetLimit limit(target);
    for (const Index cols : kNumbersOfColumns) {
      SCOPED_TRACE(cols);
      body(cols);
    }
  }
}

template <class T>
class RowLanes : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(RowLanes, Precisions);

TYPED_TEST(RowLanes, AreShiftedAndScaledColumnByColumn) {
  using T = TypeParam;
  on_each_target([](Index cols) {
    const std::vector<float> values = random_numbers<float>(3 * cols, 1);
    const float* const rows[] = {&values[2 * cols], values.data(), &values[cols]};
    const std::vector<T> scale(cols, T{0.25});
    const std::vector<T> shift = random_numbers<T>(cols, 2);
    std::vector<T> out(3 * padded<T>(cols), T{7});
    shift_and_scale(rows, scale.data(), shift.data(), cols, out.data());
    for (Index i = 0; i < std::ssize(out); ++i) {
      const Index r = i % padded<T>(cols);
      const T expected =
          r < cols ? static_cast<T>(rows[i / padded<T>(cols)][r]) * scale[r] - shift[r] : T{7};
      EXPECT_EQ(out[i], expected) << i;
    }
  });
}

TYPED_TEST(RowLanes, AreMeasuredInAFixedOrder) {
  using T = TypeParam;
  on_each_target([](Index cols) {
    const Index width = padded<T>(cols);
    const std::vector<T> columns = random_numbers<T>(cols * kLanes<T>, 3);
    const std::vector<T> centers = padded_rows<T>(kCenters, cols, 4);
    const std::vector<T> factors = padded_rows<T>(kCenters, cols, 5);
    std::vector<double> weighted(kCenters * kLanes<T>);
    std::vector<double> plain(weighted);
    weighted_distances(columns.data(), cols, kCenters, centers.data(), factors.data(),
                       weighted.data());
    weighted_distances(columns.data(), cols, kCenters, centers.data(), nullptr, plain.data());
    for (Index q = 0; q < kCenters; ++q)
      for (Index l = 0; l < kLanes<T>; ++l) {
        double expected[2] = {};
        for (Index from = 0; from < cols; from += 16) {
          T sums[2] = {};
          for (Index r = from; r < std::min(cols, from + 16); ++r) {
            const T difference = columns[r * kLanes<T> + l] - centers[q * width + r];
            sums[0] += difference * difference * factors[q * width + r];
            sums[1] += difference * difference;
          }
          for (int s = 0; s < 2; ++s) expected[s] += static_cast<double>(sums[s]);
        }
        EXPECT_EQ(weighted[q * kLanes<T> + l], expected[0]);
        EXPECT_EQ(plain[q * kLanes<T> + l], expected[1]);
      }
  });
}

TYPED_TEST(RowLanes, AddDeviationsOfAFewClustersAtOnce) {
  using T = TypeParam;
  on_each_target([](Index cols) {
    const Index width = padded<T>(cols);
    const std::vector<T> rows = padded_rows<T>(kLanes<T>, cols, 6);
    const std::vector<T> centers = padded_rows<T>(kCenters, cols, 7);
    const std::vector<T> weights = random_numbers<T>(kCenters * kLanes<T>, 8);
    std::vector<double> first(kCenters * width, 0.125);
    std::vector<double> second(width, 0.5);
    add_deviations(rows.data(), cols, kCenters, centers.data(), weights.data(), first.data(),
                   second.data());
    for (Index r = 0; r < cols; ++r) {
      double expected = 0.5;
      for (Index tile = 0; tile < kCenters; tile += kTogether) {
        T together = 0;
        for (Index q = tile; q < std::min(kCenters, tile + kTogether); ++q) {
          T sum = 0;
          T squares = 0;
          for (Index l = 0; l < kLanes<T>; ++l) {
            const T deviation = rows[l * width + r] - centers[q * width + r];
            const T weighted = deviation * weights[q * kLanes<T> + l];
            sum += weighted;
            squares += weighted * deviation;
          }
          EXPECT_EQ(first[q * width + r], 0.125 + static_cast<double>(sum));
          together = q == tile ? squares : together + squares;
        }
        expected += static_cast<double>(together);
      }
      EXPECT_EQ(second[r], expected);
    }
  });
}

TYPED_TEST(RowLanes, AddDeviationsOfRowsOneAfterTheOther) {
  using T = TypeParam;
  on_each_target([](Index cols) {
    constexpr Index kRows = 5;
    const std::vector<T> values = random_numbers<T>(kRows * cols, 9);
    std::vector<const T*> rows;
    for (const Index row : {3, 0, 4, 1, 2}) rows.push_back(&values[row * cols]);
    const std::vector<double> reference = random_numbers<double>(cols, 10);
    const std::vector<double> scale = random_numbers<double>(cols, 11);
    std::vector<double> first(cols, 0.1);
    std::vector<double> second(cols, 0.2);
    std::vector<double> first_expected(first);
    std::vector<double> second_expected(second);
    add_row_deviations(rows, reference.data(), scale.data(), cols, first.data(), second.data());
    for (const T* const row : rows)
      for (Index r = 0; r < cols; ++r) {
        const double deviation = (static_cast<double>(row[r]) - reference[r]) * scale[r];
        first_expected[r] += deviation;
        second_expected[r] += deviation * deviation;
      }
    EXPECT_EQ(first, first_expected);
    EXPECT_EQ(second, second_expected);
  });
}

}  // namespace
}  // namespace tamis
