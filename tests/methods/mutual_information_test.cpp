#include "methods/sselect/mutual_information.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tamis {
namespace {

using Table = std::vector<Index>;

TEST(MutualInformation, GivesThePublishedScoresOfTenLabeledRows) {
  // Zhao, Liu 2007, footnote 4: 1 - NMI of five rows of each class; features that put `first` of
  // the one class and `second` of the other on the same side of their mean.
  struct Published {
    Index first, second;
    double score;
  };
  for (const auto& [first, second, score] : {Published{3, 0, 0.6042},
                                             {5, 2, 0.6042},
                                             {2, 0, 0.7635},
                                             {3, 1, 0.8755},
                                             {1, 0, 0.8920},
                                             {5, 4, 0.8920},
                                             {2, 1, 0.9651},
                                             {5, 0, 0.0},
                                             {2, 2, 1.0}}) {
    SCOPED_TRACE(testing::Message() << first << " and " << second);
    const Table table{first, second, 5 - first, 5 - second};
    EXPECT_NEAR(1.0 - normalized_mutual_information(table, 2, NmiNormalization::max), score, 5e-5);
  }
}

TEST(MutualInformation, DividesByTheGeometricMeanForSqrt) {
  const double h = -0.2 * std::log(0.2) - 0.8 * std::log(0.8);  // I = H(rows) here
  const Table table{2, 0, 0, 0, 5, 3};
  const double classes = -0.2 * std::log(0.2) - 0.5 * std::log(0.5) - 0.3 * std::log(0.3);
  EXPECT_NEAR(normalized_mutual_information(table, 3, NmiNormalization::sqrt),
              std::sqrt(h / classes), 1e-14);
  EXPECT_NEAR(normalized_mutual_information(table, 3, NmiNormalization::max), h / classes, 1e-14);
}

TEST(MutualInformation, IsExactlyZeroForIndependentPartitionsAndSingleParts) {
  EXPECT_EQ(normalized_mutual_information(Table{2, 4, 6, 3, 6, 9}, 3, NmiNormalization::max), 0.0);
  EXPECT_EQ(normalized_mutual_information(Table{5, 7, 0, 0}, 2, NmiNormalization::max), 0.0);
  EXPECT_EQ(normalized_mutual_information(Table{5, 0, 7, 0}, 2, NmiNormalization::sqrt), 0.0);
}

TEST(MutualInformation, HasTheSameBitsForEveryOrderOfTheTable) {
  const double value =
      normalized_mutual_information(Table{3, 1, 4, 1, 5, 9}, 3, NmiNormalization::max);
  EXPECT_EQ(normalized_mutual_information(Table{1, 5, 9, 3, 1, 4}, 3, NmiNormalization::max),
            value);
  EXPECT_EQ(normalized_mutual_information(Table{4, 3, 1, 9, 1, 5}, 3, NmiNormalization::max),
            value);
}

}  // namespace
}  // namespace tamis
