#include "tamis/projections/cfld.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/naive_projections.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::NaiveProjection naive_cfld(const test::Sample& sample, double ridge) {
  test::NaiveProjection naive = test::naive_chunklet_projection(sample, ridge);
  for (auto& component : naive.components) {
    const double length = std::sqrt(test::naive_dot(component, component));
    for (double& entry : component) entry /= length;
  }
  return naive;
}

TEST(Cfld, MatchesTheNaiveFormula) {
  for (const auto& sample :
       {test::blobs(40, 6, 4, /*seed=*/1), test::blobs_with_pairs(9, 14, 2, /*seed=*/2)})
    for (const test::Storage storage : test::kStorages) {
      SCOPED_TRACE(testing::Message() << sample.x.rows << " rows, " << test::name_of(storage));
      const test::StoredSample stored(sample, storage);
      test::expect_projection_near(cfld(stored.problem(), {.n_components = 5, .ridge = 0.01}),
                                   naive_cfld(sample, 0.01), 1e-8);
    }
}

TEST(Cfld, DecorrelatesRowsWithinChunklets) {
  // a'(S_w + e I)b = 0 for two of its directions; with so small an e, that is a'S_w b = 0.
  const test::Sample sample = test::blobs(60, 5, 12, /*seed=*/3);
  const test::StoredSample stored(sample);
  const Projection found = cfld(stored.problem(), {.n_components = 5, .ridge = 1e-12});
  test::Dense projected(60, 5);
  projected.values = test::entries_of(found.projected);
  const test::Columns within = test::naive_within({projected, sample.labels});
  for (Index a = 0; a < 5; ++a)
    for (Index b = 0; b < a; ++b) EXPECT_NEAR(within[a][b], 0.0, 1e-9);
}

TEST(Cfld, NeedsAMustLink) {
  const std::string needs =
      "cfld needs rows that belong together, and there is neither a must-link nor a class with two "
      "labeled rows";
  test::Sample sample = test::blobs(12, 4, /*per_class=*/1, /*seed=*/4);
  for (const bool has_pairs : {false, true}) {
    if (has_pairs) sample.pairs = PairConstraints{.cannot_link = {{0, 4}}};
    const test::StoredSample stored(sample);
    EXPECT_EQ(message_of<DataError>([&] { cfld(stored.problem()); }), needs);
    EXPECT_EQ(remedy_of<DataError>([&] { cfld(stored.problem()); }).action,
              Remedy::Action::give_labels_or_pairs);
  }
}

TEST(Cfld, RefusesWeightsOfPairs) {
  const test::StoredSample stored(test::blobs_with_weighted_pairs(12, 4, 2, /*seed=*/5));
  EXPECT_EQ(message_of<DataError>([&] { cfld(stored.problem()); }),
            "cfld takes pairs without weights, and that of rows 11 and 8 weighs 0.5: leave the "
            "weights out, or choose a method that sums over pairs");
}

TEST(Cfld, RefusesARidgeThatIsNotPositive) {
  const test::StoredSample stored(test::blobs(12, 4, 2, /*seed=*/6));
  EXPECT_EQ(message_of<InvalidArgument>([&] { cfld(stored.problem(), {.ridge = 0.0}); }),
            "cfld: ridge = 0 must be > 0");
}

}  // namespace
}  // namespace tamis
