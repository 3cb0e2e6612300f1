#include "methods/ridge_omp/kernel_ridge.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/naive_algebra.hpp"
#include "support/sample.hpp"

namespace tamis {
namespace {

RowVectors random_values(Index rows, Index width, std::uint64_t seed) {
  const test::Dense x = test::random_table(rows, width, seed);
  return {width, {x.values.begin(), x.values.end()}};
}

/// The formula with the l x l kernel and elimination.
std::vector<double> naive_ridge(const RankedTable& z, const std::vector<Index>& known,
                                const RowVectors& values, double lambda) {
  const std::vector<Index> every = all_indices(z.rows());
  test::Dense x(z.rows(), z.cols());
  z.copy_rows(every, 0, z.cols(), x.values.data());
  const auto l = known.size();
  std::vector<double> mean(z.cols(), 0.0);
  for (const Index row : known)
    for (Index r = 0; r < z.cols(); ++r) mean[r] += x(row, r) / static_cast<double>(l);
  const auto kernel = [&](Index i, Index k) {
    double sum = 0.0;
    for (Index r = 0; r < z.cols(); ++r)
      sum += z.spread()[r] * (x(i, r) - mean[r]) * (x(k, r) - mean[r]);
    return sum;
  };
  test::Columns matrix(l, std::vector<double>(l));
  double trace = 0.0;
  for (std::size_t a = 0; a < l; ++a)
    for (std::size_t b = 0; b < l; ++b) matrix[a][b] = kernel(known[a], known[b]);
  for (std::size_t a = 0; a < l; ++a) trace += matrix[a][a];
  for (std::size_t a = 0; a < l; ++a) matrix[a][a] += lambda * trace / static_cast<double>(l);
  std::vector<double> result(z.rows() * values.width, 0.0);
  for (Index c = 0; c < values.width; ++c) {
    std::vector<double> y;
    for (std::size_t a = 0; a < l; ++a) y.push_back(values.row(static_cast<Index>(a))[c]);
    y = test::naive_solve(matrix, y);
    for (Index i = 0; i < z.rows(); ++i)
      for (std::size_t a = 0; a < l; ++a)
        result[i * values.width + c] += kernel(i, known[a]) * y[a];
  }
  return result;
}

std::vector<double> to_vector(const RowVectors& vectors) {
  return {vectors.values.begin(), vectors.values.end()};
}

TEST(KernelRidge, MatchesTheFormula) {
  const test::Dense x = test::sparse_table(40, 9, /*seed=*/1);
  const std::vector<Index> known{0, 3, 4, 17, 39};
  const RowVectors values = random_values(5, 3, /*seed=*/2);
  for (const test::Storage storage : test::kStorages)
    for (const double lambda : {0.1, 1.0}) {
      SCOPED_TRACE(name_of(storage));
      const test::StoredSample stored({x}, storage);
      const RankedTable z(stored.problem().matrix);
      test::expect_scores_near(to_vector(kernel_ridge(z, known, values, lambda)),
                               naive_ridge(z, known, values, lambda), tolerance(storage));
    }
}

/// Each value predicted from the other known rows, by a regression of its own.
std::vector<double> naive_left_out(const RankedTable& z, const std::vector<Index>& known,
                                   const RowVectors& values, double strength) {
  const auto l = known.size();
  test::Dense x(z.rows(), z.cols());
  z.copy_rows(all_indices(z.rows()), 0, z.cols(), x.values.data());
  std::vector<double> residuals;
  for (std::size_t out = 0; out < l; ++out) {
    std::vector<double> mean(z.cols(), 0.0);
    double mean_value = 0.0;
    for (std::size_t a = 0; a < l; ++a) {
      if (a == out) continue;
      mean_value += values.values[static_cast<Index>(a)] / static_cast<double>(l - 1);
      for (Index r = 0; r < z.cols(); ++r) mean[r] += x(known[a], r) / static_cast<double>(l - 1);
    }
    // (A'A + c I) w = A'y over the others, columns weighted by sqrt(G)
    const auto entry = [&](std::size_t a, Index r) {
      return std::sqrt(z.spread()[r]) * (x(known[a], r) - mean[r]);
    };
    const auto m = static_cast<std::size_t>(z.cols());
    test::Columns matrix(m, std::vector<double>(m, 0.0));
    std::vector<double> right(m, 0.0);
    for (std::size_t a = 0; a < l; ++a) {
      if (a == out) continue;
      for (std::size_t r = 0; r < m; ++r) {
        right[r] +=
            entry(a, static_cast<Index>(r)) * (values.values[static_cast<Index>(a)] - mean_value);
        for (std::size_t s = 0; s < m; ++s)
          matrix[r][s] += entry(a, static_cast<Index>(r)) * entry(a, static_cast<Index>(s));
      }
    }
    for (std::size_t r = 0; r < m; ++r) matrix[r][r] += strength;
    const std::vector<double> weights = test::naive_solve(matrix, right);
    double predicted = mean_value;
    for (std::size_t r = 0; r < m; ++r) predicted += weights[r] * entry(out, static_cast<Index>(r));
    residuals.push_back(values.values[static_cast<Index>(out)] - predicted);
  }
  return residuals;
}

double mean_diagonal(const RankedTable& z, const std::vector<Index>& known) {
  const Buffer<double> kernel = known_kernel(z, known);
  const Index l = std::ssize(known);
  double trace = 0.0;
  for (Index s = 0; s < l; ++s) trace += kernel[s * l + s];
  return trace / static_cast<double>(l);
}

TEST(LeftOutResiduals, AreThoseOfARegressionPerRow) {
  const test::Dense x = test::random_table(40, 5, /*seed=*/5);
  const std::vector<Index> known{0, 3, 4, 17, 20, 22, 31, 39};
  RowVectors values = random_values(8, 1, /*seed=*/6);
  center(values);
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored({x}, storage);
    const RankedTable z(stored.problem().matrix);
    test::expect_scores_near(left_out_residuals(z, known, values, 0.3),
                             naive_left_out(z, known, values, 0.3 * mean_diagonal(z, known)),
                             tolerance(storage));
  }
}

TEST(LeftOutResiduals, OfManyRowsTakeTheMeanLeverage) {
  const test::Dense x = test::random_table(1200, 6, /*seed=*/7);
  const test::StoredSample stored({x});
  const RankedTable z(stored.problem().matrix);
  const std::vector<Index> known = all_indices(1200);
  RowVectors values = random_values(1200, 1, /*seed=*/8);
  for (Index i = 0; i < 1200; ++i) values.values[i] += 2.0 * x(i, 0);
  center(values);
  test::expect_scores_near(left_out_residuals(z, known, values, 0.3),
                           naive_left_out(z, known, values, 0.3 * mean_diagonal(z, known)), 5e-3);
}

TEST(KernelRidge, OfManyKnownRowsSolvesTheSameEquations) {
  // In few columns elimination of the small side gives the same: (A'A + c I)^-1 A'. The values
  // are noise, of which columns explain little: in single precision digits are lost.
  const test::Dense x = test::random_table(1300, 4, /*seed=*/3);
  std::vector<Index> known;
  for (Index i = 0; i < 1010; ++i) known.push_back(i);
  RowVectors values = random_values(1010, 2, /*seed=*/4);
  center(values);
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored({x}, storage);
    const RankedTable z(stored.problem().matrix);
    test::Dense a(1300, 4);
    z.copy_rows(all_indices(1300), 0, 4, a.values.data());
    test::Columns matrix(4, std::vector<double>(4, 0.0));
    std::vector<double> mean(4, 0.0);
    double trace = 0.0;
    for (const Index i : known)
      for (Index r = 0; r < 4; ++r) mean[r] += a(i, r) / 1010.0;
    for (Index i = 0; i < 1300; ++i)
      for (Index r = 0; r < 4; ++r) a(i, r) = std::sqrt(z.spread()[r]) * (a(i, r) - mean[r]);
    for (const Index i : known)
      for (Index r = 0; r < 4; ++r)
        for (Index s = 0; s < 4; ++s) matrix[r][s] += a(i, r) * a(i, s);
    for (Index r = 0; r < 4; ++r) trace += matrix[r][r];
    for (Index r = 0; r < 4; ++r) matrix[r][r] += trace / 1010.0;
    std::vector<double> expected(2 * x.rows, 0.0);
    for (Index c = 0; c < 2; ++c) {
      std::vector<double> right(4, 0.0);
      for (const Index i : known)
        for (Index r = 0; r < 4; ++r) right[r] += a(i, r) * values.row(i)[c];
      right = test::naive_solve(matrix, right);
      for (Index i = 0; i < 1300; ++i)
        for (Index r = 0; r < 4; ++r) expected[i * 2 + c] += a(i, r) * right[r];
    }
    test::expect_scores_near(to_vector(kernel_ridge(z, known, values, 1.0)), expected,
                             z.is_single() ? 1e-4 : 1e-9);
  }
}

TEST(KernelRidge, OfRowsThatAreAlikeIsZero) {
  test::Dense x = test::random_table(20, 5, /*seed=*/5);
  for (Index r = 0; r < 5; ++r) x(7, r) = x(3, r);
  const RankedTable z(test::StoredSample({x}).problem().matrix);
  const std::vector<Index> known{3, 7};
  for (const double value : kernel_ridge(z, known, random_values(2, 1, 6), 1.0).values)
    EXPECT_EQ(value, 0.0);
}

}  // namespace
}  // namespace tamis
