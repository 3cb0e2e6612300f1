#include "tamis/projections/pca.hpp"

#include <gtest/gtest.h>

#include "support/naive_projections.hpp"

namespace tamis {
namespace {

TEST(Pca, MatchesTheEigenvectorsOfTheCovariance) {
  for (const auto& [rows, cols] : {std::pair{30, 6}, std::pair{7, 12}}) {
    const test::Sample sample{test::random_table(rows, cols, /*seed=*/1)};
    const auto naive = test::naive_symmetric_projection(sample.x, test::naive_covariance(sample.x));
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << test::name_of(storage));
      const test::StoredSample stored(sample, storage);
      test::expect_projection_near(pca(stored.problem(), {.n_components = 4}), naive, 1e-9);
    }
  }
}

TEST(Pca, OfThreePointsOnALineIsTheLine) {
  const double values[] = {0, 0, 3, 4, 6, 8};
  const Projection found = pca({.matrix = DenseView(values, 3, 2)}, {.n_components = 1});
  EXPECT_EQ(found.rank, 1);
  EXPECT_NEAR(found.eigenvalues[0], 50.0 / 3.0, 1e-12);  // (25 + 0 + 25) / 3
  test::expect_scores_near(test::entries_of(found.components), {0.6, 0.8}, 1e-12);
  test::expect_scores_near(test::entries_of(found.projected), {-5.0, 0.0, 5.0}, 1e-12);
  EXPECT_EQ(found.mean, (std::vector<double>{3.0, 4.0}));
}

}  // namespace
}  // namespace tamis
