#include "clustering/links.hpp"

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/naive_clusters.hpp"
#include "tamis/core/error.hpp"

namespace tamis::test {
namespace {

TEST(Links, AreTheTransitiveClosureOfLabelsAndPairs) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Sample sample = blobs_with_pairs(30, 2, 2, seed);
    const StoredSample stored(sample);
    const Links links(stored.problem().known, stored.problem().rows());
    const NaiveLinks expected = naive_closure(sample);
    for (Index i = 0; i < 30; ++i)
      for (Index j = 0; j < i; ++j) {
        const Index one = links.group_of(i);
        const Index other = links.group_of(j);
        bool are_apart = false;
        if (one != Links::kNoGroup)
          links.for_each_apart(one, [&](Index group) { are_apart = are_apart || group == other; });
        EXPECT_EQ(one != Links::kNoGroup && one == other, expected.must(i, j) == 1.0);
        EXPECT_EQ(are_apart, expected.cannot(i, j) == 1.0) << i << " " << j;
      }
  }
}

TEST(Links, NumberClassesFirstWithTheRowsThatMustLinksAdd) {
  const StoredSample stored({.x = Dense(8, 1),
                             .labels = {-1, 4, -1, 2, -1, -1, 4, -1},
                             .pairs = PairConstraints{.must_link = {{0, 2}, {5, 6}},
                                                      .cannot_link = {{7, 0}, {7, 2}, {1, 3}}}});
  const Links links(stored.problem().known, stored.problem().rows());
  EXPECT_EQ(links.n_classes(), 2);
  ASSERT_EQ(links.n_groups(), 4);
  EXPECT_EQ(links.groups()[0], std::vector<Index>{3});
  EXPECT_EQ(links.groups()[1], (std::vector<Index>{1, 5, 6}));
  EXPECT_EQ(links.groups()[2], (std::vector<Index>{0, 2}));
  EXPECT_EQ(links.groups()[3], std::vector<Index>{7});
  EXPECT_EQ(links.group_of(4), Links::kNoGroup);
  EXPECT_TRUE(links.has_class(5));
  EXPECT_FALSE(links.has_class(0));
  EXPECT_FALSE(links.has_class(4));
}

TEST(Links, CountWhatAClusteringBreaks) {
  RandomStream random(3);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Sample sample = blobs_with_pairs(30, 2, 3, seed);
    const StoredSample stored(sample);
    std::vector<Index> clusters(30);
    for (Index& cluster : clusters) cluster = random.below(4);
    const Violations broken =
        violations(Links(stored.problem().known, stored.problem().rows()), clusters);
    const NaiveViolations expected = naive_violations(naive_closure(sample), clusters);
    EXPECT_EQ(broken.must_link, expected.must_link);
    EXPECT_EQ(broken.cannot_link, expected.cannot_link);
  }
}

TEST(Links, RefuseContradictionsNamingTwoRows) {
  const StoredSample stored(
      {.x = Dense(4, 1),
       .pairs = PairConstraints{.must_link = {{0, 1}, {1, 2}}, .cannot_link = {{2, 0}}}});
  EXPECT_EQ(
      message_of<DataError>([&] { Links links(stored.problem().known, stored.problem().rows()); }),
      "rows 2 and 0 contradict: a cannot-link parts them, but must-links and labels put them "
      "together");
}

}  // namespace
}  // namespace tamis::test
