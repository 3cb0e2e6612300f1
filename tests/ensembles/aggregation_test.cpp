#include "ensembles/aggregation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/cpu.hpp"
#include "support/sample.hpp"

namespace tamis {
namespace {

constexpr Combine kAll[] = {Combine::mean, Combine::literal, Combine::rank, Combine::borda,
                            Combine::robust_rank};

struct Member {
  std::vector<Index> features;
  std::vector<double> scores;
};

/// Five features; the last is never drawn, feature 3 never scored; ties in the second member.
std::vector<Member> members() {
  return {{{0, 1, 3}, {0.5, 0.25, kUndefined}},
          {{0, 1, 2, 3}, {1.0, 0.125, 1.0, kUndefined}},
          {{1, 2}, {2.0, 1.0}}};
}

Tally tally_of(const std::vector<Member>& said, Combine combine, Better better = Better::lower) {
  Tally tally(5, combine);
  for (const Member& member : said) tally.add({member.features, member.scores, better});
  return tally;
}

TEST(Tally, CombinesAsDefined) {
  const double nan = kUndefined;
  test::expect_scores_near(tally_of(members(), Combine::mean).combined(),
                           {0.75, 2.375 / 3, 1.0, nan, nan}, 1e-15);
  test::expect_scores_near(tally_of(members(), Combine::literal).combined(),
                           {0.5, 2.375 / 3, 2.0 / 3, 0.0, 0.0}, 1e-15);
  // Places: feature 0: 1/3, 1.5/4; 1: 0/3, 0/4, 1/2; 2: 1.5/4 (ties with 0), 0/2; 3: 2/3, 3/4.
  test::expect_scores_near(tally_of(members(), Combine::rank).combined(),
                           {17.0 / 48, 1.0 / 6, 3.0 / 16, 17.0 / 24, nan}, 1e-15);
  // Beaten: feature 0: 1, 1.5; 1: 2, 3, 0; 2: 1.5, 1; 3: 0, 0.
  test::expect_scores_near(tally_of(members(), Combine::borda).combined(),
                           {1.25, 5.0 / 3, 1.25, 0.0, nan}, 1e-15);
}

TEST(Tally, LetsWhatAMemberCannotScoreShareTheLastPlaces) {
  Tally tally(4, Combine::rank);
  tally.add({{0, 1, 2, 3}, {kUndefined, 3.0, kUndefined, kUndefined}, Better::higher});
  tally.add({{0, 1, 2, 3}, {5.0, 6.0, 7.0, kUndefined}, Better::higher});
  // Places 2, 0, 2, 2 and then 2, 1, 0, 3.
  test::expect_scores_near(tally.combined(), {2.0 / 4, 0.5 / 4, 1.0 / 4, 2.5 / 4}, 1e-15);
  EXPECT_TRUE(tally.has_score(2));
  EXPECT_FALSE(tally.has_score(3));
}

TEST(Tally, DoesNotCountAMemberThatScoresNothing) {
  for (const Combine combine :
       {Combine::mean, Combine::rank, Combine::borda, Combine::robust_rank}) {
    Tally tally(3, combine);
    tally.add({{0, 1, 2}, {3.0, 1.0, 2.0}, Better::lower});
    const std::vector<double> alone = tally.combined();
    tally.add({{0, 1}, {kUndefined, kUndefined}, Better::lower});
    EXPECT_EQ(tally.combined(), alone);
    EXPECT_EQ(tally.committee().draws, (std::vector<Index>{2, 2, 1}));
  }
}

TEST(Tally, GivesCopiesOfAFeatureTheSameScore) {
  for (const Combine combine : kAll) {
    Tally tally(3, combine);
    tally.add({{0, 1, 2}, {2.0, 1.0, 2.0}, Better::lower});
    tally.add({{0, 1, 2}, {0.5, 1.0, 0.5}, Better::lower, {0, 2, 1}});
    const std::vector<double> scores = tally.combined();
    EXPECT_EQ(scores[0], scores[2]);
  }
}

/// P(the k-th smallest of n uniform numbers <= r) = P(at least k of n are) as a plain sum.
double order_statistic(Index k, Index n, double r) {
  double sum = 0.0;
  for (Index c = k; c <= n; ++c)
    sum += std::tgamma(n + 1) / std::tgamma(c + 1) / std::tgamma(n - c + 1) *
           std::pow(r, static_cast<double>(c)) * std::pow(1.0 - r, static_cast<double>(n - c));
  return sum;
}

TEST(Tally, RobustRankIsTheLeastLikelyOrderStatisticTimesTheirNumber) {
  const std::vector<double> scores = tally_of(members(), Combine::robust_rank).combined();
  const auto rho = [](const std::vector<double>& sorted) {
    double least = 1.0;
    for (Index k = 1; k <= std::ssize(sorted); ++k)
      least = std::min(least, order_statistic(k, std::ssize(sorted), sorted[k - 1]));
    return least * static_cast<double>(sorted.size());
  };
  test::expect_scores_near(scores,
                           {rho({2.5 / 4, 2.0 / 3}), rho({1.0 / 4, 1.0 / 3, 2.0 / 2}),
                            rho({1.0 / 2, 2.5 / 4}), rho({3.0 / 3, 4.0 / 4}), kUndefined},
                           1e-12);
}

TEST(Tally, KnowsWhichCombinedScoreIsBetter) {
  for (const Better better : {Better::lower, Better::higher}) {
    EXPECT_EQ(tally_of(members(), Combine::mean, better).better(), better);
    EXPECT_EQ(tally_of(members(), Combine::literal, better).better(), better);
    EXPECT_EQ(tally_of(members(), Combine::rank, better).better(), Better::lower);
    EXPECT_EQ(tally_of(members(), Combine::borda, better).better(), Better::higher);
    EXPECT_EQ(tally_of(members(), Combine::robust_rank, better).better(), Better::lower);
  }
}

TEST(Tally, KeepsItsDirectionWhenAMemberScoresNothing) {
  Tally tally(2, Combine::mean);
  tally.add({{0, 1}, {1.0, 3.0}, Better::higher});
  tally.add({{0, 1}, {kUndefined, kUndefined}, Better::lower});
  EXPECT_EQ(tally.better(), Better::higher);
}

TEST(Tally, TakesPlacesFromTheOrderOfAMemberThatHasOne) {
  Tally tally(3, Combine::rank);
  tally.add({{0, 1, 2}, {3.0, 1.0, 1.0}, Better::higher, {1, 2, 0}});
  EXPECT_EQ(tally.combined(), (std::vector<double>{2.0 / 3.0, 0.0, 1.0 / 3.0}));
}

TEST(Tally, TurnsPlacesRoundWhereHigherIsBetter) {
  Tally tally(3, Combine::rank);
  tally.add({{0, 1, 2}, {1.0, 3.0, 2.0}, Better::higher});
  test::expect_scores_near(tally.combined(), {2.0 / 3, 0.0, 1.0 / 3}, 1e-15);
}

TEST(Tally, MembersAddedInTwoHalvesEqualAllAtOnce) {
  std::vector<Member> many;
  for (int copies = 0; copies < 10; ++copies)
    for (Member member : members()) {
      for (double& score : member.scores) score *= 1.0 + 0.1 * copies;
      many.push_back(std::move(member));
    }
  for (const Combine combine : kAll) {
    const Tally at_once = tally_of(many, combine);
    Tally halves = tally_of({many.begin(), many.begin() + 15}, combine);
    for (std::size_t s = 15; s < many.size(); ++s)
      halves.add({many[s].features, many[s].scores, Better::lower});
    test::expect_scores_near(halves.combined(), at_once.combined(), 0.0);
  }
}

TEST(Tally, TellsWhatMembersSaidOfEachFeature) {
  const Committee committee = tally_of(members(), Combine::rank).committee();
  const double nan = kUndefined;
  EXPECT_EQ(committee.members, 3);
  EXPECT_EQ(committee.draws, (std::vector<Index>{2, 3, 2, 2, 0}));
  test::expect_scores_near(committee.mean, {0.75, 2.375 / 3, 1.0, nan, nan}, 1e-15);
  // The best 10 % of up to ten features is the first: feature 1 twice, feature 2 once.
  test::expect_scores_near(committee.best_share, {0.0, 2.0 / 3, 0.5, 0.0, nan}, 1e-15);
}

TEST(Combined, CountsGroupsAsOftenAsTheyAreDrawnOnEveryTarget) {
  const std::vector<std::vector<Index>> resamples{{2, 0, 1}, {1, 3, 1}};
  for (const Index n_features : {1, 31, 300}) {
    const test::Dense said = test::random_table(3, n_features, 1);
    std::vector<VoteSums> groups(3, VoteSums(n_features, Combine::mean));
    for (Index g = 0; g < 3; ++g)
      groups[g].add(
          ballot_of({all_indices(n_features),
                     {&said.values[g * n_features], &said.values[g * n_features] + n_features},
                     Better::lower},
                    Combine::mean));
    for (const Target target : {Target::avx512, Target::avx2, Target::baseline}) {
      const TargetLimit limit(target);
      const std::vector<std::vector<double>> scores = combined(groups, resamples);
      for (std::size_t t = 0; t < resamples.size(); ++t)
        for (Index r = 0; r < n_features; ++r) {
          double sum = 0.0;
          double count = 0.0;
          for (Index g = 0; g < 3; ++g) {
            sum += static_cast<double>(resamples[t][g]) * said(g, r);
            count += static_cast<double>(resamples[t][g]);
          }
          ASSERT_EQ(scores[t][r], sum / count) << t << ", " << r;
        }
    }
  }
}

TEST(BestTenth, IsRoundedUp) {
  EXPECT_EQ(best_tenth(1), 1);
  EXPECT_EQ(best_tenth(10), 1);
  EXPECT_EQ(best_tenth(11), 2);
  EXPECT_EQ(best_tenth(100), 10);
}

}  // namespace
}  // namespace tamis
