#include "clustering/som/som.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "clustering/nearest_center.hpp"
#include "clustering/som/unit_moves.hpp"
#include "core/random.hpp"
#include "support/golden.hpp"
#include "support/sample.hpp"
#include "support/source_root.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

Som train(const Sample& sample, const SomOptions& options = {},
          Storage storage = Storage::dense_double) {
  const StoredSample stored(sample, storage);
  return train_som(stored.problem().matrix, all_indices(sample.x.rows), options);
}

/// The batch algorithm in plain loops from a given codebook: one epoch.
std::vector<double> naive_epoch(const Dense& x, const Som& som, std::vector<double> codebook,
                                double radius) {
  const Index units = som.n_units();
  std::vector<Index> best(x.rows, 0);
  for (Index i = 0; i < x.rows; ++i) {
    double nearest = HUGE_VAL;
    for (Index z = 0; z < units; ++z) {
      double distance = 0.0;
      for (Index r = 0; r < x.cols; ++r)
        distance += std::pow(x(i, r) - codebook[z * x.cols + r], 2);
      if (distance < nearest) {
        nearest = distance;
        best[i] = z;
      }
    }
  }
  std::vector<double> moved(codebook.size());
  for (Index z = 0; z < units; ++z) {
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
    for (Index r = 0; r < x.cols; ++r) moved[z * x.cols + r] = sum[r] / weight;
  }
  return moved;
}

TEST(Som, MatchesTheGoldenCodebook) {
  const Golden golden = load_golden("plain");
  const StoredSample stored(golden.sample);
  const Som som = train_som(stored.problem().matrix, unlabeled_rows(stored.problem()));
  const auto expected =
      nlohmann::json::parse(std::ifstream(source_root() / "tests/data/golden/plain.json"))["som"];
  EXPECT_EQ((std::vector{som.sheet_rows, som.sheet_cols}),
            expected["size"].get<std::vector<Index>>());
  std::vector<double> codebook;
  for (const auto& vector : expected["codebook"])
    for (const double value : vector) codebook.push_back(value);
  expect_scores_near(som.codebook, codebook, 1e-6);
}

/// The start as specified: mean + xi_r axis1 + xi_c axis2, axes by power iteration on the
/// covariance.
std::vector<double> naive_start(const Dense& x, const Som& som) {
  const Index m = x.cols;
  std::vector<double> mean(m, 0.0);
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < m; ++r) mean[r] += x(i, r) / static_cast<double>(x.rows);
  std::vector<double> covariance(m * m, 0.0);
  for (Index i = 0; i < x.rows; ++i)
    for (Index r = 0; r < m; ++r)
      for (Index q = 0; q < m; ++q)
        covariance[r * m + q] +=
            (x(i, r) - mean[r]) * (x(i, q) - mean[q]) / static_cast<double>(x.rows);
  std::vector<std::vector<double>> axes;
  for (int a = 0; a < 2; ++a) {
    std::vector<double> v(m, 1.0);
    double eigenvalue = 0.0;
    for (int step = 0; step < 5000; ++step) {
      std::vector<double> w(m, 0.0);
      for (Index r = 0; r < m; ++r)
        for (Index q = 0; q < m; ++q) w[r] += covariance[r * m + q] * v[q];
      eigenvalue = std::sqrt(std::inner_product(w.begin(), w.end(), w.begin(), 0.0));
      for (Index r = 0; r < m; ++r) v[r] = w[r] / eigenvalue;
    }
    const auto largest = std::ranges::max_element(
        v, [](double left, double right) { return std::abs(left) < std::abs(right); });
    const double sign = *largest < 0.0 ? -1.0 : 1.0;
    for (Index r = 0; r < m; ++r)
      for (Index q = 0; q < m; ++q) covariance[r * m + q] -= eigenvalue * v[r] * v[q];
    for (double& entry : v) entry *= sign * std::sqrt(eigenvalue);
    axes.push_back(v);
  }
  const auto xi = [](Index place, Index count) {
    const double half = (static_cast<double>(count) - 1.0) / 2.0;
    return (static_cast<double>(place) - half) / std::max(half, 1.0);
  };
  std::vector<double> codebook;
  for (Index z = 0; z < som.n_units(); ++z)
    for (Index r = 0; r < m; ++r)
      codebook.push_back(mean[r] + xi(z / som.sheet_cols, som.sheet_rows) * axes[0][r] +
                         xi(z % som.sheet_cols, som.sheet_cols) * axes[1][r]);
  return codebook;
}

TEST(Som, MovesItsUnitsAsTheFormulaSays) {
  // Few units on many rows: one epoch for each phase, with the radii r0 = 1 and r1 = 1.
  Dense x = random_table(600, 3, 1);
  for (Index i = 0; i < x.rows; ++i) x(i, 1) *= 1.5;
  const Som som = train({.x = x}, {.units = 12});
  ASSERT_EQ(som.error_by_epoch.size(), 2U);
  std::vector<double> codebook = naive_start(x, som);
  for (int epoch = 0; epoch < 2; ++epoch) codebook = naive_epoch(x, som, std::move(codebook), 1.0);
  expect_scores_near(som.codebook, codebook, 1e-9);
}

TEST(Som, LeavesOutOnlyEpochsThatMoveNoUnit) {
  const Dense x = random_table(141, 20, 11);
  const StoredSample stored({.x = x});
  const MatrixView& matrix = stored.problem().matrix;
  const std::vector<Index> rows = all_indices(x.rows);
  const PrincipalAxes axes = principal_axes(matrix, rows, 2);
  const CenterSearch search(matrix, rows, axes.mean);
  Som expected = begin_som(axes, x.rows, {});
  Index settled = 0;
  std::vector<Index> before;
  for (const double radius : som_radii(expected, x.rows)) {
    const NearestCenters best = search.nearest(expected.codebook);
    if (best.centers == before) ++settled;
    before = best.centers;
    double sum = 0.0;
    for (const double squared : best.squared_distances) sum += std::sqrt(squared);
    expected.error_by_epoch.push_back(sum / static_cast<double>(x.rows));
    move_units(sum_by_unit(matrix, RowsByUnit(rows, best.centers, expected.n_units())), radius,
               expected);
  }
  EXPECT_GT(settled, 3);
  const Som som = train_som(matrix, rows);
  EXPECT_EQ(som.codebook, expected.codebook);
  EXPECT_EQ(som.error_by_epoch, expected.error_by_epoch);
  EXPECT_EQ(som.best_units, search.nearest(expected.codebook).centers);
}

TEST(Som, HasFiveTimesTheRootOfTheRowsAsUnits) {
  const Som som = train({.x = random_table(400, 2, 2)});
  EXPECT_NEAR(static_cast<double>(som.n_units()), 100.0, 10.0);
}

TEST(Som, FollowsTheSpreadOfTheRows) {
  Dense x = random_table(500, 2, 3);
  for (Index i = 0; i < x.rows; ++i) x(i, 1) *= 4.0;
  const Som som = train({.x = x});
  EXPECT_GT(som.sheet_rows, 2 * som.sheet_cols);
}

TEST(Som, DoesNotDependOnTheOrderOfTheRows) {
  const Sample sample{.x = random_table(150, 4, 4)};
  std::vector<Index> order = all_indices(150);
  RandomStream(5).shuffle(order);
  expect_scores_near(train(permute_rows(sample, order)).codebook, train(sample).codebook, 1e-9);
}

TEST(Som, LowersItsQuantizationError) {
  const Som som = train({.x = random_table(300, 5, 6)});
  EXPECT_LT(som.quantization_error, 0.8 * som.error_by_epoch.front());
}

TEST(Som, IsTheSameInEveryStorageAndForAnyNumberOfThreads) {
  const Sample sample{.x = sparse_table(120, 40, 7)};
  const Som reference = train(sample);
  for (const Storage storage : kStorages)
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      const Som som = train(sample, {}, storage);
      expect_scores_near(som.codebook, reference.codebook, 1e-9);
      EXPECT_EQ(som.best_units, reference.best_units);
      if (storage == Storage::dense_double) {
        EXPECT_EQ(som.codebook, reference.codebook);
      }
    }
}

TEST(Som, CutsMoreUnitsThanRowsAndSaysSo) {
  const Som som = train({.x = random_table(9, 2, 8)}, {.units = 50});
  EXPECT_LE(som.n_units(), 10);
  ASSERT_EQ(som.warnings.size(), 1U);
  EXPECT_NE(som.warnings[0].find("units = 50 was cut"), std::string::npos);
}

TEST(Som, RefusesTooFewUnitsOrRows) {
  EXPECT_THROW(train({.x = random_table(9, 2, 9)}, {.units = 1}), InvalidArgument);
  EXPECT_THROW(train({.x = random_table(3, 2, 9)}), DataError);
}

TEST(Som, TakesRowsThatAllCoincideOrLieOnALine) {
  EXPECT_EQ(train({.x = Dense(20, 3)}).quantization_error, 0.0);
  Dense line(40, 2);
  for (Index i = 0; i < 40; ++i) line(i, 0) = line(i, 1) = static_cast<double>(i);
  EXPECT_TRUE(std::isfinite(train({.x = line}).quantization_error));
}

TEST(NeighborDistances, AreHighBetweenClusters) {
  Dense x = random_table(400, 2, 10);
  for (Index i = 0; i < 400; i += 2) x(i, 0) += 40.0;
  const Som som = train({.x = x});
  const std::vector<double> distances = neighbor_distances(som, som.codebook, 2);
  std::vector<double> sorted = distances;
  std::ranges::sort(sorted);
  EXPECT_GT(sorted.back(), 3.0 * sorted[sorted.size() / 2]);
}

}  // namespace
}  // namespace tamis::test
