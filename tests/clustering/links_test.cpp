#include "clustering/links.hpp"

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "support/naive_clusters.hpp"
#include "tamis/core/error.hpp"

namespace tamis::test {
namespace {

constexpr Index kRows = 30;

using Pairs = std::vector<std::pair<Index, Index>>;

Pairs as_numbers(const std::vector<RowPair>& pairs) {
  Pairs numbers;
  for (const RowPair& pair : pairs) numbers.emplace_back(pair.first, pair.second);
  return numbers;
}

std::vector<Index> random_clusters(RandomStream& random) {
  std::vector<Index> clusters(kRows);
  for (Index& cluster : clusters) cluster = random.below(4);
  return clusters;
}

TEST(Links, AreTheTransitiveClosureOfLabelsAndPairs) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Sample sample = blobs_with_pairs(30, 2, 2, seed);
    const StoredSample stored(sample);
    const Links links(stored.problem().known, stored.problem().rows());
    const NaiveLinks expected(sample);
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
    const std::vector<Index> clusters = random_clusters(random);
    const Violations broken =
        violations(Links(stored.problem().known, stored.problem().rows()), clusters);
    const NaiveViolations expected = naive_violations(NaiveLinks(sample), clusters);
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

TEST(Links, ListWhatAClusteringBreaksInTheOrderOfTheRows) {
  RandomStream random(3);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Sample sample = blobs_with_pairs(kRows, 2, 3, seed);
    const StoredSample stored(sample);
    const NaiveLinks closure(sample);
    const std::vector<Index> clusters = random_clusters(random);
    Pairs must_link;
    Pairs cannot_link;
    for (Index i = 0; i < kRows; ++i)
      for (Index j = i + 1; j < kRows; ++j) {
        if (closure.must(i, j) == 1.0 && clusters[i] != clusters[j]) must_link.emplace_back(i, j);
        if (closure.cannot(i, j) == 1.0 && clusters[i] == clusters[j])
          cannot_link.emplace_back(i, j);
      }
    const PairConstraints broken =
        broken_pairs(Links(stored.problem().known, stored.problem().rows()), clusters, 1000);
    EXPECT_EQ(as_numbers(broken.must_link), must_link);
    EXPECT_EQ(as_numbers(broken.cannot_link), cannot_link);
  }
}

TEST(Links, ListAtMostAsManyBrokenPairsAsAskedFor) {
  RandomStream random(4);
  const StoredSample stored(blobs_with_pairs(kRows, 2, 3, /*seed=*/1));
  const PairConstraints broken = broken_pairs(
      Links(stored.problem().known, stored.problem().rows()), random_clusters(random), 2);
  EXPECT_EQ(broken.must_link.size(), 2U);
  EXPECT_EQ(broken.cannot_link.size(), 2U);
}

}  // namespace
}  // namespace tamis::test
