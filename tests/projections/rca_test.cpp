#include "tamis/projections/rca.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/naive_projections.hpp"
#include "tamis/core/error.hpp"
#include "tamis/projections/cfld.hpp"

namespace tamis {
namespace {

TEST(Rca, MatchesTheNaiveFormula) {
  for (const auto& sample :
       {test::blobs(40, 6, 4, /*seed=*/1), test::blobs_with_pairs(9, 14, 2, /*seed=*/2)})
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(testing::Message() << sample.x.rows << " rows, " << test::name_of(storage));
      const test::StoredSample stored(sample, storage);
      test::expect_projection_near(rca(stored.problem(), {.n_components = 5, .ridge = 0.01}),
                                   test::naive_chunklet_projection(sample, 0.01), 1e-8);
    }
}

TEST(Rca, InAllDirectionsHasTheProductsOfWhitenedRows) {
  // Y Y' = X_c (S_w + e I)^-1 X_c', solved without any eigenvalue.
  const test::Sample sample = test::blobs(20, 5, 4, /*seed=*/3);
  const test::StoredSample stored(sample);
  const Projection found = rca(stored.problem(), {.n_components = 5, .ridge = 0.02});
  ASSERT_EQ(found.rank, 5);
  test::Columns unit = test::naive_zeros(5);
  for (std::size_t r = 0; r < 5; ++r) unit[r][r] = 1.0;
  const test::Columns within = test::naive_ridged_within(sample, unit, 0.02);
  const auto mean = test::naive_mean_row(sample.x, test::naive_all(20));
  const auto centred = [&](Index i) {
    return test::naive_difference(test::naive_row(sample.x, i), mean);
  };
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j <= i; ++j) {
      double product = 0.0;
      for (Index c = 0; c < 5; ++c)
        product += found.projected.values[i * 5 + c] * found.projected.values[j * 5 + c];
      EXPECT_NEAR(product, test::naive_dot(centred(i), test::naive_solve(within, centred(j))),
                  1e-9);
    }
}

TEST(Rca, HasTheDirectionsOfCfldInOtherLengths) {
  const test::StoredSample stored(test::blobs(30, 6, 3, /*seed=*/4));
  const Projection found = rca(stored.problem(), {.n_components = 3});
  const Projection directions = cfld(stored.problem(), {.n_components = 3});
  EXPECT_EQ(found.eigenvalues, directions.eigenvalues);
  for (Index c = 0; c < 3; ++c) {
    const double ratio = found.components.values[c * 6] / directions.components.values[c * 6];
    for (Index r = 0; r < 6; ++r)
      EXPECT_NEAR(found.components.values[c * 6 + r],
                  ratio * directions.components.values[c * 6 + r], 1e-9 * ratio);
  }
}

TEST(Rca, NeedsMustLinksWithoutWeights) {
  const test::StoredSample unknown({test::random_table(8, 3, /*seed=*/5)});
  EXPECT_EQ(message_of<DataError>([&] { rca(unknown.problem()); }),
            "rca needs rows that belong together, and there is neither a must-link nor a class "
            "with two labeled rows");
  test::Sample weighted{test::random_table(8, 3, /*seed=*/5)};
  weighted.pairs = PairConstraints{.must_link = {{0, 1, 2.0}}};
  const test::StoredSample stored(weighted);
  EXPECT_EQ(message_of<DataError>([&] { rca(stored.problem()); }),
            "rca takes pairs without weights, and that of rows 0 and 1 weighs 2: leave the weights "
            "out, or choose a method that sums over pairs");
}

}  // namespace
}  // namespace tamis
