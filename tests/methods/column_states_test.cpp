#include "methods/states/column_states.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/naive_information.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// 1, -1 or 0 for each row.
std::vector<Index> states_of(const ColumnStates& states, Index column, Index rows) {
  std::vector<Index> result;
  for (Index i = 0; i < rows; ++i) {
    const auto is_in = [&](Index set) {
      return (states.sets(column)[set * states.words() + i / 64] >> (i % 64) & 1) != 0;
    };
    EXPECT_FALSE(is_in(0) && is_in(1));
    result.push_back(is_in(0) ? 1 : (is_in(1) ? -1 : 0));
  }
  return result;
}

std::vector<double> column(const test::Dense& x, Index r) {
  std::vector<double> values;
  for (Index i = 0; i < x.rows; ++i) values.push_back(x(i, r));
  return values;
}

void expect_naive_states(const test::Dense& x, double width) {
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored({x}, storage);
    const ColumnStates states(stored.problem().matrix, all_indices(x.rows), width);
    for (Index r = 0; r < x.cols; ++r)
      EXPECT_EQ(states_of(states, r, x.rows), test::naive_states(column(x, r), width)) << r;
  }
}

TEST(ColumnStates, MatchTheDefinitionForEveryNumberOfRowsAndColumns) {
  for (const Index rows : {1, 2, 63, 64, 65, 130})
    for (const double width : {0.5, 1.0, 0.001})
      for (const Index cols : {1, 31, 33})
        expect_naive_states(test::random_table(rows, cols, /*seed=*/rows + cols), width);
  expect_naive_states(test::sparse_table(90, 40, /*seed=*/1), 0.5);
  expect_naive_states(test::integer_table(90, 40, /*seed=*/2), 0.5);
}

TEST(ColumnStates, SeeTheGivenRowsOnly) {
  test::Dense x(5, 1);
  x.values = {1e9, 0.0, 1.0, -1e9, 5.0};
  const test::StoredSample stored({x});
  const ColumnStates states(stored.problem().matrix, std::vector<Index>{1, 2, 4}, 0.5);
  EXPECT_EQ(states_of(states, 0, 3), (std::vector<Index>{-1, 0, 1}));
}

TEST(ColumnStates, AreBetweenOnTheBorder) {
  // Half zeros, half ones: every value is one standard deviation from the mean.
  test::Dense x(10, 2);
  for (Index i = 0; i < 10; ++i) x(i, 0) = x(i, 1) = 0.1 * static_cast<double>(i % 2);
  const test::StoredSample stored({x});
  const ColumnStates one(stored.problem().matrix, all_indices(10), 1.0);
  EXPECT_EQ(states_of(one, 0, 10), std::vector<Index>(10, 0));
  EXPECT_TRUE(one.varies(0));
  const ColumnStates half(stored.problem().matrix, all_indices(10), 0.5);
  EXPECT_EQ(states_of(half, 0, 10), (std::vector<Index>{-1, 1, -1, 1, -1, 1, -1, 1, -1, 1}));
}

TEST(ColumnStates, KnowConstantColumnsExactly) {
  test::Dense x = test::random_table(7, 3, /*seed=*/3);
  for (Index i = 0; i < 7; ++i) x(i, 1) = 0.1;
  const test::StoredSample stored({x});
  const ColumnStates states(stored.problem().matrix, all_indices(7), 0.5);
  EXPECT_TRUE(states.varies(0) && !states.varies(1) && states.varies(2));
  EXPECT_EQ(states_of(states, 1, 7), std::vector<Index>(7, 0));
}

TEST(ColumnStates, DoNotChangeWithUnitAndOffset) {
  const test::Dense x = test::integer_table(80, 3, /*seed=*/4);
  const test::StoredSample plain({x});
  const ColumnStates expected(plain.problem().matrix, all_indices(80), 0.5);
  for (const auto& [unit, offset] :
       {std::pair{1e200, 0.0}, {1e-200, 0.0}, {1.0, 1e12}, {-0x1p-30, 1e6}}) {
    SCOPED_TRACE(testing::Message() << unit << " " << offset);
    test::Dense other = x;
    for (double& value : other.values) value = unit * value + offset;
    const test::StoredSample stored({other});
    const ColumnStates states(stored.problem().matrix, all_indices(80), 0.5);
    for (Index r = 0; r < 3; ++r) {
      std::vector<Index> found = states_of(states, r, 80);
      if (unit < 0.0)
        for (Index& state : found) state = -state;
      EXPECT_EQ(found, states_of(expected, r, 80));
    }
  }
}

TEST(ColumnStates, AreTheSameForAnyNumberOfThreads) {
  const test::StoredSample stored({test::random_table(70, 300, /*seed=*/5)});
  const auto states = [&](int threads) {
    const ThreadLimit limit(threads);
    return ColumnStates(stored.problem().matrix, all_indices(70), 0.5);
  };
  const ColumnStates one = states(1);
  const ColumnStates three = states(3);
  for (Index r = 0; r < 300; ++r) EXPECT_EQ(states_of(one, r, 70), states_of(three, r, 70));
}

}  // namespace
}  // namespace tamis
