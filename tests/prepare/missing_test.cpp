#include "prepare/missing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Values = Buffer<double>;

OwnedTable dense(Index rows, Index cols, Values values) {
  return DenseTable<double>{.rows = rows, .cols = cols, .values = std::move(values)};
}

Values values_of(const OwnedTable& table) {
  const MatrixView x = view_of(table);
  Values values(x.rows() * x.cols());
  copy_columns(x, all_indices(x.rows()), 0, x.cols(), values.data());
  return values;
}

Values filled(OwnedTable table, std::span<const Index> rows, Missing kind) {
  fill_missing(table, rows, kind);
  return values_of(table);
}

/// The definition, cell by cell: distances over shared columns in units of their deviation.
double naive_nearest(const Values& x, Index cols, std::span<const Index> rows, Index i, Index r) {
  std::vector<double> deviation;
  for (Index c = 0; c < cols; ++c) {
    double sum = 0.0, squares = 0.0, count = 0.0;
    for (const Index j : rows)
      if (!std::isnan(x[j * cols + c])) sum += x[j * cols + c], count += 1.0;
    for (const Index j : rows)
      if (!std::isnan(x[j * cols + c])) squares += std::pow(x[j * cols + c] - sum / count, 2);
    deviation.push_back(std::sqrt(squares / count));
  }
  std::vector<std::pair<double, Index>> near;
  for (const Index j : rows) {
    double sum = 0.0, shared = 0.0;
    for (Index c = 0; c < cols; ++c)
      if (const double d = (x[i * cols + c] - x[j * cols + c]) / deviation[c]; !std::isnan(d))
        sum += d * d, shared += 1.0;
    if (j != i && shared > 0.0 && !std::isnan(x[j * cols + r])) near.emplace_back(sum / shared, j);
  }
  std::ranges::sort(near);
  near.resize(std::min<std::size_t>(near.size(), 5));
  double mean = 0.0;
  for (const auto& [distance, j] : near) mean += x[j * cols + r] / static_cast<double>(near.size());
  return mean;
}

/// That row i is filled as the definition says.
void expect_nearest(const Values& result, const Values& x, Index cols, std::span<const Index> rows,
                    Index i) {
  for (Index r = 0; r < cols; ++r) {
    const double before = x[i * cols + r];
    EXPECT_NEAR(result[i * cols + r],
                std::isnan(before) ? naive_nearest(x, cols, rows, i, r) : before, 1e-12)
        << i << ", " << r;
  }
}

Values random_with_gaps(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed);
  Values values;
  for (Index k = 0; k < rows * cols; ++k)
    values.push_back(random.below(5) == 0 ? kNan : random.normal() * (1.0 + double(k % cols)));
  return values;
}

TEST(FindMissing, CountsCellsRowsAndColumns) {
  const MissingValues dense_ones = find_missing(view_of(dense(3, 2, {1, kNan, 2, 3, kNan, kNan})));
  EXPECT_EQ(dense_ones.cells, 3);
  EXPECT_EQ(dense_ones.rows, (std::vector<Index>{0, 2}));
  EXPECT_EQ(dense_ones.columns, (std::vector<Index>{0, 1}));
  EXPECT_TRUE(dense_ones.empty_columns.empty());
  EXPECT_EQ(find_missing(view_of(dense(2, 2, {1, kNan, 2, kNan}))).empty_columns,
            std::vector<Index>{1});
  const OwnedTable sparse = CsrTable<float>{
      .cols = 4, .offsets = {0, 1, 1, 3}, .columns = {2, 1, 2}, .values = {5.f, NAN, NAN}};
  EXPECT_EQ(find_missing(view_of(sparse)).rows, std::vector<Index>{2});
  EXPECT_EQ(find_missing(view_of(sparse)).columns, (std::vector<Index>{1, 2}));
}

TEST(FillMissing, TakesMedianAndMeanOfTheGivenRowsOnly) {
  const Values x = {1, kNan, 2, 10, 6, 30, kNan, 1000};
  const std::vector<Index> first = {0, 1, 2};
  EXPECT_EQ(filled(dense(4, 2, x), first, Missing::median), (Values{1, 20, 2, 10, 6, 30, 2, 1000}));
  EXPECT_EQ(filled(dense(4, 2, x), first, Missing::mean), (Values{1, 20, 2, 10, 6, 30, 3, 1000}));
  EXPECT_EQ(filled(dense(4, 2, x), all_indices(4), Missing::median)[1], 30.0);
}

TEST(FillMissing, CountsTheZerosOfASparseColumn) {
  const CsrTable<double> sparse{
      .cols = 2, .offsets = {0, 1, 2, 2, 2}, .columns = {0, 0}, .values = {kNan, 6}};
  EXPECT_EQ(filled(sparse, all_indices(4), Missing::mean), (Values{2, 0, 6, 0, 0, 0, 0, 0}));
  EXPECT_EQ(filled(sparse, all_indices(4), Missing::median), (Values{0, 0, 6, 0, 0, 0, 0, 0}));
}

TEST(FillMissing, TakesTheNearestRowsByTheNaiveDefinition) {
  const Index rows = 40, cols = 7;
  const Values x = random_with_gaps(rows, cols, 3);
  std::vector<Index> some;
  for (Index i = 0; i < rows; i += 2) some.push_back(i);
  const Values result = filled(dense(rows, cols, x), some, Missing::nearest);
  for (Index i = 0; i < rows; ++i) expect_nearest(result, x, cols, some, i);
}

TEST(FillMissing, TakesTheNearestAcrossTiles) {
  const Index rows = 700, cols = 4;
  const Values x = random_with_gaps(rows, cols, 5);
  const Values result = filled(dense(rows, cols, x), all_indices(rows), Missing::nearest);
  for (const Index i : {Index{0}, Index{255}, Index{256}, Index{511}, Index{699}})
    expect_nearest(result, x, cols, all_indices(rows), i);
}

TEST(FillMissing, TakesTheNearestAcrossPanelsOfColumnsOnEveryTarget) {
  const Index rows = 70, cols = 150;
  Values x = random_with_gaps(rows, cols, 9);
  for (Index i = 6; i < rows; ++i) x[i * cols + 149] = kNan;  // far neighbours are needed, too
  for (Index i = 0; i < rows; ++i) x[i * cols + 64] = 3.0;    // does not vary
  const Values result = filled(dense(rows, cols, x), all_indices(rows), Missing::nearest);
  for (const Index i : {Index{0}, Index{7}, Index{63}, Index{64}, Index{69}})
    expect_nearest(result, x, cols, all_indices(rows), i);
  for (const Target target : {Target::baseline, Target::avx2}) {
    if (target > best_target()) continue;
    const TargetLimit limit(target);
    EXPECT_EQ(filled(dense(rows, cols, x), all_indices(rows), Missing::nearest), result);
  }
}

TEST(FillMissing, TellsHowFarItHasComeAndCanBeInterrupted) {
  OwnedTable table = dense(600, 3, random_with_gaps(600, 3, 6));
  const Index incomplete = std::ssize(find_missing(view_of(table)).rows);
  const Values before = values_of(table);
  EXPECT_THROW(fill_missing(table, all_indices(600), Missing::nearest,
                            Progress([](std::string_view, Index, Index) {
                              throw Interrupted("interrupted");
                            })),
               Interrupted);
  EXPECT_EQ(std::memcmp(values_of(table).data(), before.data(), sizeof(double) * before.size()), 0);
  Index last = 0;
  fill_missing(table, all_indices(600), Missing::nearest,
               Progress([&](std::string_view stage, Index done, Index total) {
                 EXPECT_EQ(stage, "filling in missing values");
                 EXPECT_EQ(total, incomplete);
                 last = done;
               }));
  EXPECT_EQ(last, incomplete);
}

TEST(FillMissing, IsTheSameForAnyNumberOfThreads) {
  const OwnedTable table = dense(60, 9, random_with_gaps(60, 9, 4));
  for (const Missing kind : {Missing::median, Missing::mean, Missing::nearest}) {
    const ThreadLimit one(1);
    const Values alone = filled(table, all_indices(60), kind);
    const ThreadLimit three(3);
    EXPECT_EQ(filled(table, all_indices(60), kind), alone);
  }
}

TEST(FillMissing, PutsZeroWhereNoRowHasAValue) {
  for (const Missing kind : {Missing::median, Missing::mean, Missing::nearest})
    EXPECT_EQ(filled(dense(2, 2, {kNan, 1, kNan, 2}), all_indices(2), kind), (Values{0, 1, 0, 2}));
}

TEST(FillMissing, ChangesNothingWhereNothingIsMissing) {
  const Values x = {1, 2, 0.1, -0.0, 5e-324, 1e300};
  for (const Missing kind : {Missing::median, Missing::mean, Missing::nearest}) {
    const Values same = filled(dense(3, 2, x), all_indices(3), kind);
    EXPECT_EQ(std::memcmp(same.data(), x.data(), sizeof(double) * x.size()), 0);
  }
}

TEST(FillMissing, RefusesKindsThatFillNothing) {
  OwnedTable table = dense(1, 1, {1});
  EXPECT_EQ(message_of<InvalidArgument>([&] { fill_missing(table, {}, Missing::mean); }),
            "filling in needs at least one row to learn from");
  EXPECT_EQ(message_of<InvalidArgument>([&] { fill_missing(table, {}, Missing::rows); }),
            "missing = rows fills nothing in");
}

TEST(Imputed, KeepsNamesAndWhatIsKnown) {
  const OwnedTable table = dense(2, 2, {1, kNan, 3, 4});
  const Problem problem{.matrix = view_of(table),
                        .feature_names = {"a", "b"},
                        .known = {.sample_ids = {"s", "t"}, .labels = {0, 1}}};
  const OwnedProblem complete = imputed(problem, all_indices(2), Missing::median);
  EXPECT_EQ(complete.problem().feature_names, problem.feature_names);
  EXPECT_EQ(complete.problem().known.sample_ids, problem.known.sample_ids);
  EXPECT_EQ(complete.problem().known.labels, problem.known.labels);
  EXPECT_EQ(find_missing(complete.problem().matrix).cells, 0);
}

TEST(CompletePart, LeavesOutRowsOrColumnsOrNothing) {
  const OwnedTable table = dense(3, 2, {1, 2, kNan, 4, 5, 6});
  const MatrixView x = view_of(table);
  const MissingValues missing = find_missing(x);
  using Places = std::vector<Index>;
  EXPECT_EQ(complete_part(missing, Missing::rows, x).rows, (Places{0, 2}));
  EXPECT_EQ(complete_part(missing, Missing::rows, x).columns, (Places{0, 1}));
  EXPECT_EQ(complete_part(missing, Missing::columns, x).rows, (Places{0, 1, 2}));
  EXPECT_EQ(complete_part(missing, Missing::columns, x).columns, (Places{1}));
  EXPECT_EQ(complete_part(missing, Missing::median, x).rows.size(), 3U);
}

TEST(CompletePart, RefusesToLeaveNothing) {
  const OwnedTable table = dense(2, 2, {kNan, 2, 3, kNan});
  const MatrixView x = view_of(table);
  EXPECT_EQ(message_of<DataError>([&] { complete_part(find_missing(x), Missing::rows, x); }),
            "every row has a missing value: without them none is left");
  EXPECT_EQ(message_of<DataError>([&] { complete_part(find_missing(x), Missing::columns, x); }),
            "every column has a missing value: without them none is left");
}

TEST(DescribedMissing, SaysWhatWasDone) {
  const MissingValues missing{.cells = 3, .rows = {0, 2}, .columns = {1}};
  EXPECT_EQ(described(missing, Missing::median, {}),
            "3 missing values in 2 rows and 1 column are filled in with the median of the column");
  EXPECT_EQ(described(missing, Missing::rows, {}), "2 rows with 3 missing values left out");
  EXPECT_EQ(described(missing, Missing::columns, {}), "1 column with 3 missing values left out");
}

TEST(DescribedMissing, NamesColumnsWithoutAnyValue) {
  MissingValues missing{.cells = 2, .rows = {0, 1}, .columns = {1}, .empty_columns = {1}};
  EXPECT_EQ(described(missing, Missing::mean, {"a", "b"}),
            "2 missing values in 2 rows and 1 column are filled in with the mean of the column; "
            "column 1 (b) has no value at all and becomes 0");
  missing.empty_columns = {0, 1};
  EXPECT_TRUE(described(missing, Missing::nearest, {"a", "b"})
                  .ends_with("; 2 columns, among them 0 (a), have no value at all and become 0"));
}

}  // namespace
}  // namespace tamis
