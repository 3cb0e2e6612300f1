#include "tamis/projections/ssdr.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/naive_projections.hpp"
#include "tamis/core/error.hpp"
#include "tamis/projections/pca.hpp"

namespace tamis {
namespace {

/// eq. 2.13 of the thesis word for word.
test::NaiveProjection naive_ssdr(const test::Sample& sample, const SsdrOptions& options) {
  test::Columns a = test::naive_zeros(sample.x.cols);
  if (options.variant == SsdrVariant::cmu) a = test::naive_covariance(sample.x);
  if (options.variant != SsdrVariant::m)
    test::add_pair_mean(a, sample.x, test::naive_cannot_links(sample), options.alpha);
  test::add_pair_mean(a, sample.x, test::naive_must_links(sample), -options.beta);
  return test::naive_symmetric_projection(sample.x, a);
}

TEST(Ssdr, MatchesTheNaiveFormula) {
  for (const auto& sample :
       {test::blobs(40, 6, 4, /*seed=*/1), test::blobs_with_pairs(9, 14, 2, /*seed=*/2),
        test::blobs_with_weighted_pairs(30, 8, 3, /*seed=*/3)})
    for (const SsdrVariant variant : {SsdrVariant::cmu, SsdrVariant::cm, SsdrVariant::m})
      for (const test::Storage storage : test::kStorages) {
        const SsdrOptions options{.n_components = 5, .variant = variant, .alpha = 1.5, .beta = 8.0};
        SCOPED_TRACE(testing::Message() << word_of(variant) << ", " << sample.x.rows << " rows, "
                                        << test::name_of(storage));
        const test::StoredSample stored(sample, storage);
        test::expect_projection_near(ssdr(stored.problem(), options), naive_ssdr(sample, options),
                                     1e-8);
      }
}

TEST(Ssdr, WithoutWeightsOfPairsIsPca) {
  const test::StoredSample stored(test::blobs_with_pairs(30, 6, 3, /*seed=*/4));
  const Projection found = ssdr(stored.problem(), {.n_components = 4, .alpha = 0.0, .beta = 0.0});
  const Projection expected = pca(stored.problem(), {.n_components = 4});
  test::expect_scores_near(found.eigenvalues, expected.eigenvalues, 1e-12);
  test::expect_scores_near(test::entries_of(found.components),
                           test::entries_of(expected.components), 1e-10);
}

TEST(Ssdr, OfMustLinksIsOrthogonalToEachOfTheirDifferences) {
  const test::Sample sample = test::blobs_with_pairs(12, 30, 2, /*seed=*/5);
  const test::StoredSample stored(sample);
  const Projection found = ssdr(stored.problem(), {.n_components = 3, .variant = SsdrVariant::m});
  EXPECT_EQ(found.eigenvalues, (std::vector<double>{0.0, 0.0, 0.0}));
  test::Dense components(3, sample.x.cols);
  components.values = test::entries_of(found.components);
  const test::RowMatrix must = test::naive_must_links(sample);
  for (Index i = 0; i < sample.x.rows; ++i)
    for (Index j = 0; j < i; ++j) {
      if (must(i, j) == 0.0) continue;
      const auto difference =
          test::naive_difference(test::naive_row(sample.x, i), test::naive_row(sample.x, j));
      for (Index c = 0; c < 3; ++c)
        EXPECT_NEAR(test::naive_dot(difference, test::naive_row(components, c)), 0.0, 1e-9);
    }
}

TEST(Ssdr, SaysThatItIsPcaWhereNothingIsKnown) {
  for (const SsdrVariant variant : {SsdrVariant::cmu, SsdrVariant::cm, SsdrVariant::m}) {
    const test::StoredSample stored({test::random_table(20, 5, /*seed=*/6)});
    const Projection found = ssdr(stored.problem(), {.n_components = 3, .variant = variant});
    EXPECT_EQ(
        found.warnings,
        std::vector<std::string>{
            "there are neither must-links nor cannot-links, so these are the directions of pca"});
    test::expect_scores_near(
        test::entries_of(found.components),
        test::entries_of(pca(stored.problem(), {.n_components = 3}).components), 1e-10);
  }
}

TEST(Ssdr, TakesAKindThatIsEmptyAsNothing) {
  test::Sample sample{test::random_table(15, 4, /*seed=*/7)};
  sample.pairs = PairConstraints{.cannot_link = {{0, 1}, {2, 5}}};
  const test::StoredSample stored(sample);
  test::expect_projection_near(ssdr(stored.problem(), {.n_components = 4}), naive_ssdr(sample, {}),
                               1e-9);
}

TEST(Ssdr, RefusesAContradiction) {
  test::Sample sample{test::random_table(5, 4, /*seed=*/8)};
  sample.pairs = PairConstraints{.must_link = {{0, 1}, {1, 2}}, .cannot_link = {{0, 2}}};
  const test::StoredSample stored(sample);
  EXPECT_EQ(message_of<DataError>([&] { ssdr(stored.problem()); }),
            "rows 0 and 2 contradict: a cannot-link parts them, but must-links and labels put "
            "them together");
}

}  // namespace
}  // namespace tamis
