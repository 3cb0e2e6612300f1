#include "tamis/core/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Rows = std::vector<Index>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr double kValues[] = {1, 2, 3, 4, 5, 6};

Problem three_by_two() { return {.matrix = DenseView<double>(kValues, 3, 2)}; }

std::string complaint(const Problem& problem) {
  return message_of<DataError>([&] { check_problem(problem); });
}

TEST(Problem, HasNoLabelsUnlessTheyAreGiven) {
  const Problem problem = three_by_two();
  EXPECT_EQ(problem.known.label(1), kUnlabeled);
  EXPECT_EQ(labeled_rows(problem.known), Rows{});
  EXPECT_EQ(unlabeled_rows(problem), (Rows{0, 1, 2}));
  EXPECT_TRUE(rows_by_class(problem.known).empty());
}

TEST(Problem, SplitsRowsIntoLabeledAndUnlabeled) {
  Problem problem = three_by_two();
  problem.known.labels = {1, -1, 0};
  EXPECT_EQ(labeled_rows(problem.known), (Rows{0, 2}));
  EXPECT_EQ(unlabeled_rows(problem), Rows{1});
}

TEST(Problem, GroupsRowsByClassWithoutEmptyClasses) {
  Problem problem = three_by_two();
  problem.known.labels = {7, 2, 7};
  EXPECT_EQ(rows_by_class(problem.known), (std::vector<Rows>{{1}, {0, 2}}));
}

TEST(Problem, NamesRowsAndColumnsByNumberAndNameIfThereIsOne) {
  Problem problem = three_by_two();
  EXPECT_EQ(row_name(problem.known, 2), "2");
  EXPECT_EQ(column_name(problem, 1), "1");
  problem.known.sample_ids = {"a", "b", "c"};
  problem.feature_names = {"width", "height"};
  EXPECT_EQ(row_name(problem.known, 2), "2 (c)");
  EXPECT_EQ(column_name(problem, 1), "1 (height)");
}

TEST(CheckProblem, AcceptsWhatFits) {
  Problem problem = three_by_two();
  problem.known.labels = {0, -1, 1};
  problem.known.pairs = PairConstraints{.must_link = {{0, 1}}, .cannot_link = {{1, 2}}};
  EXPECT_NO_THROW(check_problem(problem));
}

TEST(CheckProblem, RefusesATableOfOneRow) {
  EXPECT_EQ(complaint({.matrix = DenseView<double>(kValues, 1, 2)}),
            "the table has 1 row; at least 2 are needed to compare anything");
}

TEST(CheckProblem, RefusesATableWithoutColumns) {
  EXPECT_EQ(complaint({.matrix = DenseView<double>(kValues, 3, 0)}),
            "the table has no feature columns");
}

TEST(CheckProblem, RefusesNamesIdsAndLabelsOfAnotherLength) {
  Problem names = three_by_two();
  names.feature_names = {"one"};
  EXPECT_EQ(complaint(names), "there are 1 feature names for 2 columns");
  Problem groups = three_by_two();
  groups.feature_groups = {0, 0, 1};
  EXPECT_EQ(complaint(groups), "there are groups of 3 features for 2 columns");
  Problem ids = three_by_two();
  ids.known.sample_ids = {"a", "b", "c", "d"};
  EXPECT_EQ(complaint(ids), "there are 4 sample ids for 3 rows");
  Problem labels = three_by_two();
  labels.known.labels = {0, 1};
  EXPECT_EQ(complaint(labels), "there are 2 labels for 3 rows");
}

TEST(CheckProblem, RefusesALabelBelowMinusOne) {
  Problem problem = three_by_two();
  problem.known.labels = {0, -2, 1};
  EXPECT_EQ(complaint(problem), "label -2 of row 1 is negative; unlabeled rows have -1");
}

TEST(CheckProblem, RefusesValuesThatDoNotFit) {
  Problem problem = three_by_two();
  problem.known.values = {0.5, kNan};
  EXPECT_EQ(complaint(problem), "there are 2 target values for 3 rows");
  problem.known.values = {0.5, kNan, -2.0};
  EXPECT_NO_THROW(check_problem(problem));
  problem.known.values[1] = kInfinity;
  EXPECT_EQ(complaint(problem),
            "the target of row 1 is not finite; rows without a known value have NaN");
  problem.known.values[1] = -2e140;
  EXPECT_EQ(complaint(problem),
            "the target of row 1 is -2e+140, too large to be squared (beyond 1e+140): give it in "
            "another unit");
}

TEST(Knowledge, KnowsTheRowsOfValues) {
  const Knowledge known{.labels = {-1, -1, 0, -1},
                        .values = {kNan, 2.5, kNan, -1.0},
                        .pairs = PairConstraints{.must_link = {{0, 1}}}};
  EXPECT_EQ(valued_rows(known), (std::vector<Index>{1, 3}));
  EXPECT_EQ(known_rows(known), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_TRUE(values_decide(known));
  const Knowledge part = known_about(known, std::vector<Index>{3, 0, 3});
  EXPECT_EQ(part.values[0], -1.0);
  EXPECT_TRUE(std::isnan(part.values[1]));
  EXPECT_EQ(part.values[2], -1.0);
  Knowledge classes = known;
  classes.labels[0] = 1;
  EXPECT_FALSE(values_decide(classes));
  EXPECT_FALSE(values_decide({.values = {kNan, kNan}}));
}

TEST(CheckProblem, RefusesAPairOutsideTheTable) {
  Problem problem = three_by_two();
  problem.known.pairs = PairConstraints{.must_link = {{0, 1}, {1, 3}}, .cannot_link = {}};
  EXPECT_EQ(complaint(problem), "a pair names row 3, but the table has rows 0 to 2");
}

TEST(CheckProblem, RefusesAWeightThatIsNegativeOrNotFinite) {
  Problem problem = three_by_two();
  problem.known.pairs = PairConstraints{.must_link = {{0, 1, -0.5}}, .cannot_link = {}};
  EXPECT_EQ(complaint(problem),
            "the pair of rows 0 and 1 has the weight -0.5; give a number that is not negative");
  for (const double weight : {kNan, kInfinity}) {
    problem.known.pairs->must_link[0].weight = weight;
    EXPECT_NE(complaint(problem), "");
  }
}

TEST(RefusePairWeights, NamesWhoTakesNoneAndTheFirstPair) {
  const Knowledge plain{.pairs = PairConstraints{.must_link = {{0, 1}}}};
  EXPECT_NO_THROW(refuse_pair_weights("l2gfs", plain));
  const Knowledge weighted{.pairs = PairConstraints{.cannot_link = {{0, 1}, {1, 2, 2.5}}}};
  EXPECT_EQ(message_of<DataError>([&] { refuse_pair_weights("l2gfs", weighted); }),
            "l2gfs takes pairs without weights, and that of rows 1 and 2 weighs 2.5: leave the "
            "weights out, or choose a method that sums over pairs");
}

TEST(CheckProblem, RefusesARowPairedWithItself) {
  Problem problem = three_by_two();
  problem.known.sample_ids = {"a", "b", "c"};
  problem.known.pairs = PairConstraints{.must_link = {}, .cannot_link = {{1, 1}}};
  EXPECT_EQ(complaint(problem), "row 1 (b) is paired with itself: remove that pair");
}

TEST(CheckProblem, CountsMissingValuesAndNamesTheFirst) {
  const double values[] = {1, 2, 3, kNan, kNan, kNan, kInfinity, 6};
  const Problem problem{.matrix = DenseView<double>(values, 4, 2),
                        .feature_names = {"width", "height"}};
  EXPECT_EQ(complaint(problem),
            "the table has 3 missing values in 2 rows and 2 columns; the first is in row 1, column "
            "1 (height)");
  EXPECT_EQ(remedy_of<DataError>([&] { check_problem(problem); }).action,
            Remedy::Action::treat_missing);
}

TEST(CheckProblem, RefusesValuesWhoseSquaresWouldOverflow) {
  const double values[] = {1, 1e140, 3, -1.1e140, 1e308, 6};
  EXPECT_EQ(
      complaint({.matrix = DenseView<double>(values, 3, 2), .feature_names = {"width", "height"}}),
      "the table has 2 values that are beyond 1e+140, too large to be squared; the first is "
      "-1.1e+140 in row 1, column 1 (height): divide the column by a power of ten, or impute what "
      "stands for a missing value");
  const Index offsets[] = {0, 1, 2};
  const ColumnIndex columns[] = {0, 1};
  const double entries[] = {1e140, 1e200};
  EXPECT_EQ(complaint({.matrix = CsrView<double>(offsets, columns, entries, 2)}),
            "the table has 1 value that is beyond 1e+140, too large to be squared; the first is "
            "1e+200 in row 1, column 1: divide the column by a power of ten, or impute what stands "
            "for a missing value");
}

TEST(CheckProblem, AcceptsEveryFloat) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const float values[] = {kLargest, -kLargest, 0, 1};
  EXPECT_NO_THROW(check_problem({.matrix = DenseView<float>(values, 2, 2)}));
}

TEST(CheckProblem, FindsInfinitiesOfBothSignsInOneRow) {  // their sum would be NaN, their count 2
  const float values[] = {0, 1, static_cast<float>(kInfinity), static_cast<float>(-kInfinity)};
  EXPECT_EQ(
      complaint({.matrix = DenseView<float>(values, 2, 2)}),
      "the table has 2 values that are not finite; the first is inf in row 1, column 0: remove "
      "or impute them first");
}

TEST(CheckProblem, FindsASparseValueThatIsMissing) {
  const Index offsets[] = {0, 1, 1, 2};
  const ColumnIndex columns[] = {4, 2};
  const double values[] = {1, kNan};
  EXPECT_EQ(complaint({.matrix = CsrView<double>(offsets, columns, values, 5)}),
            "the table has 1 missing value in 1 row and 1 column; the first is in row 2, column 2");
}

TEST(CheckProblem, RefusesMoreSparseColumnsThanEntriesCanName) {
  const Index offsets[] = {0, 0, 0};
  EXPECT_EQ(complaint({.matrix = CsrView<double>(offsets, {}, {}, kMostSparseLines + 1)}),
            "the table has 2 rows and 2147483648 columns; a sparse table has at most 2147483647 of "
            "each");
}

TEST(CheckProblem, AcceptsTheLargestFiniteValues) {
  constexpr float kHuge = std::numeric_limits<float>::max();
  const float values[] = {kHuge, kHuge, -kHuge, kHuge};
  EXPECT_NO_THROW(check_problem({.matrix = DenseView<float>(values, 2, 2)}));
}

TEST(CheckRows, TakesASingleRowAndRefusesBadValuesAllTheSame) {
  check_rows({.matrix = DenseView<double>(kValues, 1, 2)});
  const double bad[] = {1.0, kNan};
  EXPECT_EQ(message_of<DataError>([&] { check_rows({.matrix = DenseView<double>(bad, 1, 2)}); }),
            "the table has 1 missing value in 1 row and 1 column; the first is in row 0, column 1");
  EXPECT_EQ(message_of<DataError>([] { check_rows({.matrix = DenseView<double>(kValues, 0, 2)}); }),
            "the table has no rows");
}

}  // namespace
}  // namespace tamis
