#include "evaluation/paired_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Scores = std::vector<double>;

TEST(PairedTTest, JudgesTheMeanDifference) {
  // t = 2 / (1 / sqrt(3)) with 2 degrees of freedom: p = 1 - t / sqrt(t^2 + 2).
  const PairedTest test = paired_t_test(Scores{2, 4, 6}, Scores{1, 2, 3});
  const double t = 2.0 * std::sqrt(3.0);
  EXPECT_NEAR(test.statistic, t, 1e-12);
  EXPECT_NEAR(test.p_value, 1.0 - t / std::sqrt(t * t + 2.0), 1e-12);
  EXPECT_EQ(test.sign, 1);
}

TEST(PairedTTest, CorrectsForTheRowsThatRunsShare) {
  // Nadeau and Bengio: the variance 1 is multiplied by 1/3 + 1/2, not by 1/3.
  const PairedTest test = paired_t_test(Scores{2, 4, 6}, Scores{1, 2, 3}, 0.5);
  EXPECT_NEAR(test.statistic, 2.0 / std::sqrt(1.0 / 3.0 + 0.5), 1e-12);
  const auto [mean, low, high] = mean_difference(Scores{2, 4, 6}, Scores{1, 2, 3}, 0.5);
  EXPECT_NEAR(mean, 2.0, 1e-12);
  EXPECT_NEAR(high - mean, 4.30265273 * std::sqrt(1.0 / 3.0 + 0.5), 1e-7);  // t_0.975 of 2
  EXPECT_NEAR(mean - low, high - mean, 1e-12);
}

TEST(PairedTTest, TellsNoDifferenceFromAConstantOne) {
  EXPECT_EQ(paired_t_test(Scores{1, 2, 3}, Scores{1, 2, 3}).p_value, 1.0);
  EXPECT_EQ(paired_t_test(Scores{1, 2, 3}, Scores{1, 2, 3}).sign, 0);
  EXPECT_EQ(paired_t_test(Scores{1, 2, 3}, Scores{2, 3, 4}).p_value, 0.0);
  EXPECT_EQ(paired_t_test(Scores{1, 2, 3}, Scores{2, 3, 4}).sign, -1);
}

TEST(PairedTTest, TakesNoRoundingForADifference) {
  // As of a table whose features are all kept: the mean of ten draws rounds apart, always upwards.
  const Scores exact{0.1, 0.2, 0.7};
  Scores rounded = exact;
  for (double& value : rounded) value *= 1.0 + 4e-16;
  EXPECT_EQ(paired_t_test(rounded, exact).p_value, 1.0);
  EXPECT_EQ(wilcoxon_signed_rank(rounded, exact).p_value, 1.0);
  const auto [mean, low, high] = mean_difference(rounded, exact);
  EXPECT_EQ(mean, 0.0);
  EXPECT_EQ(low, high);
}

/// The share of sign patterns whose positive ranks sum to at most `sum`.
double naive_lower_tail(const Scores& ranks, double sum) {
  double count = 0.0;
  const int patterns = 1 << ranks.size();
  for (int pattern = 0; pattern < patterns; ++pattern) {
    double positive = 0.0;
    for (std::size_t s = 0; s < ranks.size(); ++s)
      if ((pattern >> s & 1) != 0) positive += ranks[s];
    count += positive <= sum ? 1.0 : 0.0;
  }
  return count / patterns;
}

TEST(WilcoxonSignedRank, IsExactForFewPairsWithAndWithoutTies) {
  const Scores zeros(6, 0.0);
  const PairedTest plain = wilcoxon_signed_rank(Scores{5, -1, 3, 2, 6, -4}, zeros);
  EXPECT_EQ(plain.statistic, 5.0);
  EXPECT_DOUBLE_EQ(plain.p_value, 2.0 * naive_lower_tail({1, 2, 3, 4, 5, 6}, 5.0));
  EXPECT_EQ(plain.sign, 1);
  const PairedTest tied = wilcoxon_signed_rank(Scores{-2, -2, 1, -3, 0, -2}, zeros);
  EXPECT_EQ(tied.statistic, 1.0);
  EXPECT_DOUBLE_EQ(tied.p_value, 2.0 * naive_lower_tail({3, 3, 1, 5, 3}, 1.0));
  EXPECT_EQ(tied.sign, -1);
}

TEST(WilcoxonSignedRank, IsHalfwayWithoutDifferenceAndNeverAboveOne) {
  EXPECT_EQ(wilcoxon_signed_rank(Scores{1, 2}, Scores{1, 2}).p_value, 1.0);
  EXPECT_EQ(wilcoxon_signed_rank(Scores{1, -1}, Scores{0, 0}).p_value, 1.0);
}

TEST(WilcoxonSignedRank, ApproximatesWellWhereItStopsBeingExact) {
  RandomStream random(1);
  Scores a(50);
  for (double& value : a) value = random.normal() + 0.3;
  const Scores b(50, 0.0);
  const double exact = wilcoxon_signed_rank(a, b).p_value;
  a.push_back(1e-9);
  const double approximate = wilcoxon_signed_rank(a, Scores(51, 0.0)).p_value;
  EXPECT_NEAR(exact, approximate, 0.01);
}

TEST(PairedTests, RefuseWhatCannotBePaired) {
  using PairedScores = PairedTest (*)(const Scores&, const Scores&);
  const PairedScores t_test = [](const Scores& a, const Scores& b) { return paired_t_test(a, b); };
  const PairedScores signed_ranks = [](const Scores& a, const Scores& b) {
    return wilcoxon_signed_rank(a, b);
  };
  for (const PairedScores test : {t_test, signed_ranks}) {
    EXPECT_EQ(message_of<InvalidArgument>([&] {
                test(Scores{1, 2}, Scores{1});
              }),
              "a paired test needs two lists of one length, at least 2, not 2 and 1");
    EXPECT_THROW(test(Scores{1}, Scores{1}), InvalidArgument);
    EXPECT_EQ(message_of<DataError>([&] {
                test(Scores{1, std::nan("")}, Scores{1, 2});
              }),
              "pair 1 (nan, 2) has no difference");
  }
}

TEST(WinTieLoss, CountsDataSetsBySignificance) {
  // Method 0 beats 1 on the first data set, ties on the second, loses on the third.
  const std::vector<Scores> data_sets{
      {9, 1, 8, 2, 9, 2, 9, 1}, {5, 5, 6, 6, 5, 5, 4, 4}, {1, 7, 2, 9, 1, 8, 2, 8}};
  const auto counts = win_tie_loss(data_sets, 2, 0.1);
  EXPECT_EQ(counts[1], (WinTieLoss{1, 1, 1}));
  EXPECT_EQ(counts[2], (WinTieLoss{1, 1, 1}));
  EXPECT_EQ(counts[0], WinTieLoss{});
  const std::span first(data_sets.data(), 1);
  EXPECT_EQ(win_tie_loss(first, 2, 0.1, PairedTestKind::t, Better::lower)[1],
            (WinTieLoss{0, 0, 1}));
  EXPECT_EQ(win_tie_loss(first, 2, 0.2, PairedTestKind::wilcoxon)[1], (WinTieLoss{1, 0, 0}));
  EXPECT_EQ(win_tie_loss(first, 2, 0.1, PairedTestKind::wilcoxon)[1], (WinTieLoss{0, 1, 0}));
  EXPECT_EQ(message_of<InvalidArgument>([&] { win_tie_loss(data_sets, 1, 0.1); }),
            "a comparison of methods needs at least 2 of them, not 1");
  EXPECT_EQ(message_of<InvalidArgument>([&] { win_tie_loss(data_sets, 3, 0.1); }),
            "8 scores are no table of 3 methods");
}

TEST(SignTest, SplitsTiesAndIgnoresAnOddOne) {
  const SignTest test = sign_test({.wins = 5, .ties = 3, .losses = 1});
  EXPECT_EQ(test.wins, 6);
  EXPECT_EQ(test.comparisons, 8);
  EXPECT_NEAR(test.p_better, 37.0 / 256.0, 1e-14);
  EXPECT_NEAR(test.p_value, 74.0 / 256.0, 1e-14);
  EXPECT_EQ(sign_test({.wins = 0, .ties = 0, .losses = 4}).p_better, 1.0);
  EXPECT_EQ(sign_test({.ties = 1}).p_value, 1.0);
  EXPECT_THROW(sign_test({.wins = -1}), InvalidArgument);
}

TEST(SignTest, GivesThePublishedCriticalWins) {
  // Demsar, JMLR 7, 2006, Table 3: data sets 5 to 25 at 0.05 and 0.10.
  EXPECT_EQ(critical_wins(9, 0.1), 7);  // also in the text of the paper whose Table 3 is below
  EXPECT_EQ(critical_wins(5, 0.05), 5);
  EXPECT_EQ(critical_wins(10, 0.1), 8);
  EXPECT_EQ(critical_wins(4, 0.05), 5);  // not even four wins of four
}

TEST(SignTest, MarksTheWinsOfTable3) {
  // Benabdeslem, Elghazel, Hindawi: EnsCLS against SSFI is 5/4/0, which counts as significant; CSFS
  // against CLS is 4/3/2, which does not.
  EXPECT_LE(sign_test({.wins = 5, .ties = 4, .losses = 0}).p_better, 0.1);
  EXPECT_GT(sign_test({.wins = 4, .ties = 3, .losses = 2}).p_better, 0.1);
}

TEST(HolmAdjusted, StepsDownAndStaysMonotone) {
  const std::vector<double> adjusted = holm_adjusted(Scores{0.01, 0.04, 0.03, 0.005, 0.9});
  const Scores expected{0.04, 0.09, 0.09, 0.025, 0.9};
  for (std::size_t s = 0; s < expected.size(); ++s) EXPECT_NEAR(adjusted[s], expected[s], 1e-15);
  EXPECT_EQ(holm_adjusted(Scores{0.7, 0.6}), (Scores{1.0, 1.0}));
  EXPECT_EQ(message_of<InvalidArgument>([] {
              holm_adjusted(Scores{0.5, 1.5});
            }),
            "1.5 is no p-value: it is not in [0, 1]");
}

}  // namespace
}  // namespace tamis
