#include "ensembles/resampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

TEST(Resampling, DrawsDistinctFeaturesAndABootstrapOfTheLabeledRows) {
  const test::StoredSample stored(test::blobs(30, 20, 3, /*seed=*/1));
  const std::vector<Index> labeled = labeled_rows(stored.problem().known);
  const Resampling resampling(stored.problem(), 6, 0);
  bool has_repeated_row = false;
  for (Index member = 0; member < 50; ++member) {
    const Draw draw = resampling.draw(member);
    EXPECT_EQ(draw.member, member);
    EXPECT_EQ(draw.features.size(), 6u);
    EXPECT_TRUE(std::ranges::is_sorted(draw.features));
    EXPECT_EQ(std::set(draw.features.begin(), draw.features.end()).size(), 6u);
    EXPECT_EQ(draw.rows.size(), labeled.size());
    for (const Index row : draw.rows) EXPECT_TRUE(std::ranges::binary_search(labeled, row));
    has_repeated_row |= std::set(draw.rows.begin(), draw.rows.end()).size() < draw.rows.size();
  }
  EXPECT_TRUE(has_repeated_row);
}

TEST(Resampling, DependsOnSeedAndMemberAlone) {
  test::Sample sample = test::blobs(30, 20, 3, /*seed=*/1);
  const test::StoredSample stored(sample);
  const Draw draw = Resampling(stored.problem(), 6, 7).draw(4);
  EXPECT_EQ(Resampling(stored.problem(), 6, 7).draw(4).features, draw.features);
  EXPECT_EQ(Resampling(stored.problem(), 6, 7).draw(4).rows, draw.rows);
  EXPECT_EQ(Resampling(stored.problem(), 6, 7).draw_features(4), draw.features);
  EXPECT_NE(Resampling(stored.problem(), 6, 7).draw(5).features, draw.features);
  EXPECT_NE(Resampling(stored.problem(), 6, 8).draw(4).features, draw.features);
}

TEST(Resampling, DrawsFewOfManyFeaturesInTheirOrder) {
  const test::StoredSample stored({.x = test::Dense(2, 3000)});
  const Resampling resampling(stored.problem(), 2, 0);
  for (Index member = 0; member < 50; ++member) {
    const std::vector<Index> features = resampling.draw_features(member);
    ASSERT_EQ(features.size(), 2u);
    EXPECT_LT(features[0], features[1]);
  }
}

TEST(Resampling, DrawsFeaturesAboutEquallyOften) {
  const test::StoredSample stored(test::blobs(12, 10, 2, /*seed=*/1));
  const Resampling resampling(stored.problem(), 3, 0);
  std::vector<int> draws(10, 0);
  for (Index member = 0; member < 10000; ++member)
    for (const Index feature : resampling.draw(member).features) ++draws[feature];
  for (const int count : draws) EXPECT_NEAR(count, 3000, 250);  // five standard deviations
}

TEST(Resampling, DrawsPairsSeparatelyAndToTheirOwnNumber) {
  const test::Sample sample = test::blobs_with_pairs(30, 5, 1, /*seed=*/2);
  const test::StoredSample stored(sample);
  const Draw draw = Resampling(stored.problem(), 5, 0).draw(0);
  EXPECT_EQ(draw.must_link.size(), sample.pairs->must_link.size());
  EXPECT_EQ(draw.cannot_link.size(), sample.pairs->cannot_link.size());
}

TEST(Resampling, LeavesAllRowsInPlaceIfOnlyPairsAreKnown) {
  test::Sample sample = test::blobs_with_pairs(30, 5, 1, /*seed=*/2);
  sample.labels.clear();
  const test::StoredSample stored(sample);
  const Resampling resampling(stored.problem(), 5, 0);
  EXPECT_TRUE(resampling.resampled_rows().empty());
  EXPECT_EQ(resampling.common_rows().size(), 30u);
}

TEST(Resampling, DrawsABootstrapOfTheRowsWhoseNumberIsKnown) {
  const test::StoredSample stored(test::regression(9, 4, /*seed=*/2));
  const Resampling resampling(stored.problem(), 4, 0);
  EXPECT_EQ(std::vector(resampling.resampled_rows().begin(), resampling.resampled_rows().end()),
            (std::vector<Index>{0, 2, 4, 6, 8}));
  EXPECT_EQ(std::vector(resampling.common_rows().begin(), resampling.common_rows().end()),
            (std::vector<Index>{1, 3, 5, 7}));
  const Draw draw = resampling.draw(0);
  const OwnedProblem member = member_problem(
      stored.problem(), GatherSource(stored.problem().matrix, 0, 0), resampling, draw);
  for (std::size_t s = 0; s < 5; ++s)
    EXPECT_EQ(member.problem().known.values[s], stored.problem().known.values[draw.rows[s]]);
}

TEST(Resampling, BootstrapsAllRowsIfNothingIsKnown) {
  const test::StoredSample stored({.x = test::random_table(12, 4, /*seed=*/1)});
  const Resampling resampling(stored.problem(), 4, 0);
  EXPECT_EQ(resampling.draw(0).rows.size(), 12u);
  EXPECT_TRUE(resampling.common_rows().empty());
}

TEST(Resampling, RefusesASubspaceLargerThanTheTable) {
  const test::StoredSample stored({.x = test::random_table(12, 4, /*seed=*/1)});
  EXPECT_EQ(message_of<InvalidArgument>([&] { Resampling(stored.problem(), 5, 0); }),
            "a subspace of 5 features is larger than the table, which has 4; choose a smaller one");
}

TEST(MemberProblem, HasDrawnRowsThenCommonOnesAndTheDrawnFeatures) {
  const test::Sample sample = test::blobs(9, 4, 2, /*seed=*/3);
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored(sample, storage);
    const Resampling resampling(stored.problem(), 2, 0);
    const std::vector<Index> labeled = labeled_rows(stored.problem().known);
    Draw draw{.features = {1, 3}, .rows = std::vector<Index>(labeled.size(), labeled[1])};
    draw.rows[0] = labeled[4];
    const OwnedProblem member = member_problem(
        stored.problem(), GatherSource(stored.problem().matrix, 0, 0), resampling, draw);
    std::vector<Index> rows = draw.rows;
    for (const Index row : unlabeled_rows(stored.problem())) rows.push_back(row);
    ASSERT_EQ(member.problem().rows(), std::ssize(rows));
    ASSERT_EQ(member.problem().cols(), 2);
    std::vector<double> values(rows.size() * 2);
    copy_columns(member.problem().matrix, all_indices(std::ssize(rows)), 0, 2, values.data());
    for (Index s = 0; s < std::ssize(rows); ++s) {
      EXPECT_EQ(values[s * 2], sample.x(rows[s], 1));
      EXPECT_EQ(values[s * 2 + 1], sample.x(rows[s], 3));
      EXPECT_EQ(member.problem().known.labels[s], sample.labels[rows[s]]);
    }
  }
}

TEST(MemberProblem, KeepsAPairOnceForEveryTwoCopiesOfItsRows) {
  test::Sample sample = test::blobs(6, 2, 0, /*seed=*/3);
  sample.labels = {0, 1, -1, -1, -1, -1};
  sample.pairs = PairConstraints{.must_link = {{0, 2}, {3, 4}}, .cannot_link = {{1, 3}}};
  const test::StoredSample stored(sample);
  const Resampling resampling(stored.problem(), 2, 0);
  const Draw draw{.features = {0, 1}, .rows = {0, 0}, .must_link = {0, 1}, .cannot_link = {0}};
  const OwnedProblem member = member_problem(
      stored.problem(), GatherSource(stored.problem().matrix, 0, 0), resampling, draw);
  // Rows of the member: 0, 0, 2, 3, 4, 5.
  EXPECT_EQ(member.problem().known.pairs->must_link,
            (std::vector<RowPair>{{0, 2}, {1, 2}, {3, 4}}));
  EXPECT_TRUE(member.problem().known.pairs->cannot_link.empty());
}

}  // namespace
}  // namespace tamis
