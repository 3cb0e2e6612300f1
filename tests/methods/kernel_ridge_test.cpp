#include "methods/ridge_omp/kernel_ridge.hpp"

#include <gtest/gtest.h>

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
