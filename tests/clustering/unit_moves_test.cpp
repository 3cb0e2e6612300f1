#include "clustering/som/unit_moves.hpp"

#include <cmath>

#include "core/cpu.hpp"
#include "support/sample.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

/// Rows at units here and there: some have none.
std::vector<Index> some_units(Index rows, Index units) {
  std::vector<Index> best(rows);
  for (Index i = 0; i < rows; ++i) best[i] = i * i * 7 % units;
  return best;
}

Som map_of(Index rows, Index cols, Index features) {
  Som som;
  som.sheet_rows = rows;
  som.sheet_cols = cols;
  som.codebook.assign(rows * cols * features, -1.0);
  return som;
}

/// The formula word for word, unit by unit.
std::vector<double> naive_moves(const Dense& x, const std::vector<Index>& best, const Som& som,
                                double radius) {
  std::vector<double> moved;
  for (Index z = 0; z < som.n_units(); ++z) {
    double weight = 0.0;
    std::vector<double> sum(x.cols, 0.0);
    for (Index i = 0; i < x.rows; ++i) {
      const SheetPoint a = sheet_point(som, z);
      const SheetPoint b = sheet_point(som, best[i]);
      const double h = std::exp(-(std::pow(a.across - b.across, 2) + std::pow(a.down - b.down, 2)) /
                                (2 * radius * radius));
      weight += h;
      for (Index r = 0; r < x.cols; ++r) sum[r] += h * x(i, r);
    }
    for (const double value : sum) moved.push_back(value / weight);
  }
  return moved;
}

TEST(UnitMoves, AreWhatTheFormulaSaysOnSheetsOfAnyShape) {
  for (const auto& [sheet_rows, sheet_cols] :
       {std::pair<Index, Index>{1, 1}, {1, 6}, {6, 1}, {2, 3}, {11, 6}})
    for (const Index features : {1, 7, 40})
      for (const double radius : {1.0, 2.5}) {
        SCOPED_TRACE(testing::Message() << sheet_rows << " x " << sheet_cols << ", " << features);
        const Dense x = random_table(90, features, 1);
        const StoredSample stored({.x = x});
        Som som = map_of(sheet_rows, sheet_cols, features);
        const std::vector<Index> best = some_units(x.rows, som.n_units());
        move_units(sum_by_unit(stored.problem().matrix,
                               RowsByUnit(all_indices(x.rows), best, som.n_units())),
                   radius, som);
        const std::vector<double> expected = naive_moves(x, best, som, radius);
        for (std::size_t f = 0; f < expected.size(); ++f)
          EXPECT_NEAR(som.codebook[f], expected[f], 1e-12 * std::max(1.0, std::abs(expected[f])));
      }
}

TEST(UnitMoves, HaveTheSameBitsOnEveryTargetAndForAnyNumberOfThreads) {
  const Dense x = random_table(200, 13, 2);
  const StoredSample stored({.x = x});
  const Som before = map_of(19, 5, x.cols);
  const std::vector<Index> best = some_units(x.rows, before.n_units());
  std::vector<double> first;
  for (const Target target : {Target::avx512, Target::avx2, Target::baseline})
    for (const int threads : {1, 3}) {
      const TargetLimit target_limit(target);
      const ThreadLimit thread_limit(threads);
      Som som = before;
      move_units(sum_by_unit(stored.problem().matrix,
                             RowsByUnit(all_indices(x.rows), best, som.n_units())),
                 1.5, som);
      if (first.empty()) first = som.codebook;
      EXPECT_EQ(som.codebook, first);
    }
}

TEST(UnitMoves, LeaveUnitsAloneThatNoRowIsNearTo) {
  const StoredSample stored({.x = random_table(4, 2, 3)});
  Som som = map_of(90, 1, 2);
  move_units(sum_by_unit(stored.problem().matrix,
                         RowsByUnit(all_indices(4), std::vector<Index>(4, 0), som.n_units())),
             1.0, som);
  EXPECT_NE(som.codebook.front(), -1.0);
  EXPECT_EQ(som.codebook.back(), -1.0);
}

TEST(UnitSums, AreOneRowAfterTheOtherInEveryStorage) {
  const Dense x = random_table(60, 9, 4);
  const std::vector<Index> best = some_units(x.rows, 11);
  std::vector<double> expected(11 * x.cols, 0.0);
  std::vector<double> counts(11, 0.0);
  for (Index i = 0; i < x.rows; ++i) {
    ++counts[best[i]];
    for (Index r = 0; r < x.cols; ++r) expected[best[i] * x.cols + r] += x(i, r);
  }
  for (const Storage storage : kStorages) {
    const StoredSample stored({.x = x}, storage);
    UnitSums sums = sum_by_unit(stored.problem().matrix, RowsByUnit(all_indices(x.rows), best, 11));
    for (Index v = 0; v < 11; ++v) {
      EXPECT_EQ(sums.count(v), counts[v]);
      for (Index r = 0; r < x.cols; ++r) EXPECT_EQ(sums.at(v)[r], expected[v * x.cols + r]);
    }
  }
}

}  // namespace
}  // namespace tamis::test
