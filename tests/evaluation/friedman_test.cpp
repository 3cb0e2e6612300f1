#include "evaluation/friedman.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Accuracies of EnsCLS, CLS, CSFS, BS and SSFI on nine data sets: Table 2 of Benabdeslem,
/// Elghazel, Hindawi, "Ensemble constrained Laplacian score for efficient and robust
/// semi-supervised feature selection".
const std::vector<double> kTable2{
    0.695, 0.507, 0.513, 0.600, 0.675,  // BaseHock
    0.781, 0.740, 0.751, 0.618, 0.760,  // Leukemia
    0.702, 0.480, 0.490, 0.647, 0.680,  // Lymphoma
    0.594, 0.542, 0.549, 0.499, 0.548,  // Madelon
    0.703, 0.515, 0.517, 0.543, 0.638,  // PcMac
    0.734, 0.535, 0.535, 0.696, 0.701,  // PIE10P
    0.907, 0.837, 0.837, 0.882, 0.902,  // PIX10P
    0.749, 0.507, 0.511, 0.538, 0.735,  // Prostata
    0.660, 0.550, 0.560, 0.562, 0.553,  // Relathe
};

TEST(FriedmanTest, GivesThePublishedRanksOfTable2) {
  const FriedmanTest test = friedman_test(kTable2, 5);
  const std::vector<double> published{1.0000, 4.6667, 3.6667, 3.3333, 2.3333};
  ASSERT_EQ(test.average_ranks.size(), 5U);
  for (Index j = 0; j < 5; ++j) EXPECT_NEAR(test.average_ranks[j], published[j], 5e-5);
  EXPECT_EQ(test.data_sets, 9);
  EXPECT_LT(test.chi_square_p, 0.05);
  EXPECT_LT(test.f_p, 0.05);
}

TEST(NemenyiTest, GivesThePublishedCriticalDifferenceAndGroups) {
  const double difference = nemenyi_critical_difference(5, 9, 0.1);
  EXPECT_NEAR(difference, 1.8336, 5e-4);  // printed from a rounded quantile
  const std::vector<double> ranks = friedman_test(kTable2, 5).average_ranks;
  EXPECT_LT(ranks[4] - ranks[0], difference);  // EnsCLS and SSFI are not told apart
  for (const Index j : {1, 2, 3}) EXPECT_GT(ranks[j] - ranks[0], difference);
  EXPECT_NEAR(nemenyi_p_value(difference, 5, 9), 0.1, 1e-10);
  EXPECT_EQ(nemenyi_p_value(0.0, 5, 9), 1.0);
}

TEST(NemenyiTest, GivesDemsarsCriticalDifference) {  // JMLR 7, 2006, section 3.2.3
  EXPECT_NEAR(nemenyi_critical_difference(4, 14, 0.05), 1.25, 5e-3);
}

TEST(FriedmanTest, TurnsAroundWhereLowIsBetter) {
  std::vector<double> negated = kTable2;
  for (double& score : negated) score = -score;
  EXPECT_EQ(friedman_test(negated, 5, Better::lower).average_ranks,
            friedman_test(kTable2, 5).average_ranks);
}

TEST(FriedmanTest, SharesRanksWhereOnlyRoundingDiffers) {
  const std::vector<double> scores{0.3, 0.1 + 0.2, 0.5, 0.3, 0.1 + 0.2, 0.5};
  EXPECT_EQ(friedman_test(scores, 3).average_ranks, (std::vector<double>{2.5, 2.5, 1.0}));
}

TEST(FriedmanTest, SeesNoDifferenceWhereAllTieAndFullAgreementWhereAllAgree) {
  const FriedmanTest none = friedman_test(std::vector<double>(12, 0.5), 4);
  EXPECT_EQ(none.chi_square, 0.0);
  EXPECT_EQ(none.chi_square_p, 1.0);
  EXPECT_EQ(none.f_p, 1.0);
  const FriedmanTest full = friedman_test(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3);
  EXPECT_NEAR(full.chi_square, 6.0, 1e-12);
  EXPECT_EQ(full.f, HUGE_VAL);
  EXPECT_EQ(full.f_p, 0.0);
}

TEST(FriedmanTest, RefusesTooLittleAndNoNumbers) {
  const auto message = [](const std::vector<double>& scores, Index n_methods) {
    return message_of<InvalidArgument>([&] { friedman_test(scores, n_methods); });
  };
  EXPECT_EQ(message({1, 2, 3}, 1), "a comparison of methods needs at least 2 of them, not 1");
  EXPECT_EQ(message({1, 2, 3}, 3), "a comparison of methods needs at least 2 data sets, not 1");
  EXPECT_EQ(message({1, 2, 3}, 2), "3 scores are no table of 2 methods");
  EXPECT_EQ(message_of<DataError>([] {
              friedman_test(std::vector<double>{1, 2, 3, std::nan("")}, 2);
            }),
            "method 1 has no score on data set 1: leave one of them out of the comparison");
  EXPECT_EQ(message_of<InvalidArgument>([] { nemenyi_critical_difference(1, 9, 0.1); }),
            "a comparison of methods needs at least 2 of them, not 1");
  EXPECT_EQ(message_of<InvalidArgument>([] { nemenyi_critical_difference(5, 9, 1.5); }),
            "the level of a test must be between 0 and 1, not 1.5");
}

}  // namespace
}  // namespace tamis
