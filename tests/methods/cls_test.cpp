#include "tamis/methods/cls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive_cls.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method(ClsOptions options = {}) {
  return [options](const Problem& problem) { return cls(problem, options); };
}

TEST(Cls, MatchesTheNaiveFormulaForEveryOption) {
  test::Sample only_pairs = test::blobs_with_pairs(30, 6, 1, /*seed=*/2);
  only_pairs.labels.clear();
  for (const ClsForm form :
       {ClsForm::sum, ClsForm::full, ClsForm::ensemble, ClsForm::pairs, ClsForm::matrix})
    for (const NeighborsAmong among : {NeighborsAmong::all, NeighborsAmong::unlabeled})
      for (const bool cut : {true, false})
        for (const test::Sample& sample :
             {test::blobs_with_pairs(40, 7, 3, /*seed=*/1), only_pairs,
              test::blobs_with_weighted_pairs(40, 7, 3, /*seed=*/5),
              test::Sample{test::sparse_table(36, 5, 3), test::blobs(36, 1, 4, 0).labels},
              test::Sample{test::integer_table(30, 5, 4), test::blobs(30, 1, 3, 0).labels}}) {
          const ClsOptions options{.graph = {.n_neighbors = 4, .bandwidth = 0.5},
                                   .form = form,
                                   .neighbors_among = among,
                                   .cut_cannot_links = cut};
          SCOPED_TRACE(testing::Message() << word_of(form) << " " << word_of(among) << " " << cut);
          test::expect_matches(method(options), sample, test::naive_cls(sample, options));
        }
}

TEST(Cls, HasThePropertiesOfAMethod) {
  const test::Sample sample = test::blobs_with_pairs(50, 36, 3, /*seed=*/5);
  for (const ClsForm form : {ClsForm::sum, ClsForm::ensemble, ClsForm::pairs})
    test::expect_method_properties(method({.form = form}), sample);
}

TEST(Cls, HasTheGoldenValues) { test::expect_golden<ClsOptions>(cls); }

TEST(Cls, OrdersIrisAsPublishedForEveryNumberOfNeighbors) {
  const std::string path = test::find_data("iris.csv");
  if (path.empty()) GTEST_SKIP() << "iris.csv is not there; TAMIS_DATA may name its folder";
  test::Sample iris = test::read_small_csv(path);
  std::vector<Index> kept(3, 0);
  for (Index& label : iris.labels)  // ten labels: the first rows of each class
    if (++kept[label] > (label == 0 ? 4 : 3)) label = kUnlabeled;
  const test::StoredSample stored(iris);
  for (Index k = 1; k <= 20; ++k) {
    const ClsOptions options{
        .graph = {.n_neighbors = k, .bandwidth = 0.1, .bandwidth_unit = BandwidthUnit::absolute}};
    EXPECT_EQ(cls(stored.problem(), options).order, (std::vector<Index>{2, 3, 0, 1})) << k;
  }
}

TEST(Cls, IsTheLaplacianScoreUpToTheMeanWithoutSupervisionAndSaysSo) {
  const test::Sample sample{test::random_table(40, 6, /*seed=*/6)};
  test::expect_matches(method(), sample, test::naive_cls(sample, {}));
  const Ranking ranking = cls(test::StoredSample(sample).problem());
  ASSERT_EQ(ranking.diagnostics.warnings.size(), 1U);
  EXPECT_NE(ranking.diagnostics.warnings[0].find("without supervision"), std::string::npos);
}

TEST(Cls, TakesOneClassAsMustLinksAlone) {
  test::Sample sample = test::blobs(40, 6, 4, /*seed=*/7);
  for (Index& label : sample.labels) label = label == 0 ? 0 : kUnlabeled;
  test::expect_matches(method(), sample, test::naive_cls(sample, {}));
}

TEST(Cls, HandlesTwinRowsAndAFullyLabeledTable) {
  test::Sample twins = test::blobs(30, 4, 3, /*seed=*/8);
  for (Index r = 0; r < 4; ++r) twins.x(20, r) = twins.x(21, r) = twins.x(0, r);
  test::expect_matches(method(), twins, test::naive_cls(twins, {}));
  const test::Sample labeled = test::blobs(30, 4, 10, /*seed=*/9);
  const ClsOptions options{.neighbors_among = NeighborsAmong::unlabeled};
  test::expect_matches(method(options), labeled, test::naive_cls(labeled, options));
}

TEST(Cls, LeavesANegativeMatrixFormUndefined) {
  // Far from the origin the sign of (f_i - f_j)(D_i f_i - D_j f_j) is a matter of the degrees.
  // negative.
  test::Sample sample = test::blobs(30, 4, 2, /*seed=*/10);
  for (double& value : sample.x.values) value += 50.0;
  const ClsOptions options{.form = ClsForm::matrix};
  const std::vector<double> expected = test::naive_cls(sample, options);
  EXPECT_GT(std::ranges::count_if(expected, [](double v) { return std::isnan(v); }), 0);
  test::expect_scores_near(cls(test::StoredSample(sample).problem(), options).scores, expected,
                           1e-8);
}

TEST(Cls, RefusesFormsOfCannotLinksWithoutAnyNamingTheForm) {
  const test::Sample sample{test::random_table(12, 3, /*seed=*/11)};
  for (const ClsForm form : {ClsForm::pairs, ClsForm::matrix})
    EXPECT_NE(message_of<DataError>([&] {
                cls(test::StoredSample(sample).problem(), {.form = form});
              }).find("form = " + std::string(word_of(form))),
              std::string::npos);
}

TEST(Cls, RefusesConstantTablesContradictionsAndTooManyCannotLinksForAMatrix) {
  EXPECT_THROW(cls(test::StoredSample({test::Dense(9, 2)}).problem()), DataError);
  test::Sample sample = test::blobs(12, 2, 2, /*seed=*/12);
  sample.pairs = PairConstraints{.must_link = {{0, 1}}};
  EXPECT_THROW(cls(test::StoredSample(sample).problem()), DataError);
  test::Sample large{test::random_table(20'002, 1, 1), std::vector<Index>(20'002, 0)};
  std::fill_n(large.labels.begin(), 10'001, 1);
  EXPECT_EQ(
      message_of<DataError>(
          [&] { cls(test::StoredSample(large).problem(), {.form = ClsForm::matrix}); }),
      "100020001 cannot-link pairs are too many to list (at most 100000000): give fewer labels "
      "or pairs");
}

}  // namespace
}  // namespace tamis
