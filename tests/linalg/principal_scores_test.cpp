#include "linalg/principal_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/naive_algebra.hpp"
#include "support/sample.hpp"

namespace tamis {
namespace {

/// Scores without their signs: their products U U' of some rows.
std::vector<double> row_products(const RowVectors& scores, Index rows) {
  std::vector<double> products;
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < rows; ++k) {
      double sum = 0.0;
      for (Index c = 0; c < scores.width; ++c) sum += scores.row(i)[c] * scores.row(k)[c];
      products.push_back(sum);
    }
  return products;
}

std::vector<double> scales_of(Index cols) {
  std::vector<double> scales;
  for (Index r = 0; r < cols; ++r) scales.push_back(1.0 / static_cast<double>(r + 1));
  return scales;
}

TEST(PrincipalScores, MatchTheNaiveEigenproblem) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{30, 8}, {12, 40}}) {
    const test::Dense x = test::sparse_table(rows, cols, /*seed=*/1);
    const std::vector<double> scales = scales_of(cols);
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(testing::Message() << rows << " x " << cols << " " << name_of(storage));
      const test::StoredSample stored({x}, storage);
      const RankedTable z(stored.problem().matrix);
      test::Columns gram(rows, std::vector<double>(rows, 0.0));
      std::vector<double> column(rows);
      for (Index r = 0; r < cols; ++r) {
        z.copy_column(r, 0, rows, column.data());
        for (Index i = 0; i < rows; ++i)
          for (Index k = 0; k < rows; ++k)
            gram[i][k] += scales[r] * scales[r] * column[i] * column[k];
      }
      const test::Columns roots = test::naive_root(gram);
      RowVectors expected{3, Buffer<double>(rows * 3)};
      for (Index i = 0; i < rows; ++i)
        for (Index c = 0; c < 3; ++c) expected.row(i)[c] = roots[c][i];
      const RowVectors scores = principal_scores(z, scales, 3, /*seed=*/0);
      test::expect_scores_near(row_products(scores, rows), row_products(expected, rows),
                               tolerance(storage));
    }
  }
}

TEST(PrincipalScores, AreAsManyAsTheTableHas) {
  test::Dense x = test::random_table(20, 4, /*seed=*/2);
  for (Index i = 0; i < 20; ++i) x(i, 3) = -x(i, 0);
  const RankedTable z(test::StoredSample({x}).problem().matrix);
  EXPECT_EQ(principal_scores(z, std::vector(4, 1.0), 10, /*seed=*/0).width, 3);
}

TEST(PrincipalScores, OfLargeTablesAreNearTheExactOnes) {
  // Twelve hidden variables of falling strength, so that the leading components stand out. The
  // table has more than 1000 rows and columns; its exact components are those of all its rows
  // against each other, found by iterating until nothing changes.
  const Index n = 1100;
  const Index m = 1040;
  const test::Dense hidden = test::random_table(n, 12, /*seed=*/3);
  const test::Dense loads = test::random_table(12, m, /*seed=*/4);
  test::Dense x = test::random_table(n, m, /*seed=*/5);
  for (Index i = 0; i < n; ++i)
    for (Index r = 0; r < m; ++r)
      for (Index h = 0; h < 12; ++h)
        x(i, r) += 2.0 * std::pow(0.8, static_cast<double>(h)) * hidden(i, h) * loads(h, r);
  const test::StoredSample stored({x});
  const RankedTable z(stored.problem().matrix);
  const std::vector<double> ones(m, 1.0);
  const RowVectors scores = principal_scores(z, ones, 3, /*seed=*/1);
  ASSERT_EQ(scores.width, 3);
  for (Index c = 0; c < 3; ++c) {
    // A score u of a component satisfies Z Z'u = |u|^2 u.
    std::vector<double> u(n);
    std::vector<double> down(m);
    std::vector<double> image(n);
    double squares = 0.0;
    for (Index i = 0; i < n; ++i) squares += (u[i] = scores.row(i)[c]) * u[i];
    z.multiply_transposed(u.data(), 1, down.data());
    z.multiply(down.data(), 1, image.data());
    for (double& value : u) value *= squares;
    test::expect_scores_near(image, u, 1e-6);
  }
  const RowVectors other = principal_scores(z, ones, 3, /*seed=*/2);
  test::expect_scores_near(row_products(other, 20), row_products(scores, 20), 1e-6);
}

}  // namespace
}  // namespace tamis
