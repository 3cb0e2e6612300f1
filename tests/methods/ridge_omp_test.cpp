#include "tamis/methods/ridge_omp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/golden.hpp"
#include "support/golden_orders.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive_ridge_omp.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Features are chosen among all.
constexpr RidgeOmpOptions kUnjudged{.relevance = {.fdr = 1.0}};
/// What the first edition was: besides, copies of chosen features are out.
constexpr RidgeOmpOptions kFirstEdition{
    .nugget = 0.0, .target = {.ridge = 1.0, .temperature = 2.0}, .relevance = {.fdr = 1.0}};

RidgeOmpOptions choosing(Index n_greedy) {
  return {.n_greedy = n_greedy, .relevance = {.fdr = 1.0}};
}

test::Rank method(const RidgeOmpOptions& options) {
  return [options](const Problem& problem) { return ridge_omp(problem, options); };
}

std::vector<Index> order_of(const test::Sample& sample, const RidgeOmpOptions& options = kUnjudged,
                            test::Storage storage = test::Storage::dense_double) {
  return ridge_omp(test::StoredSample(sample, storage).problem(), options).order;
}

void expect_naive(const test::Sample& sample, Index n_greedy, RidgeOmpOptions options = kUnjudged) {
  options.n_greedy = n_greedy;
  const test::NaiveRidgeOmp expected =
      test::naive_ridge_omp(sample, {.n_greedy = n_greedy,
                                     .nugget = options.nugget.value_or(1.0),
                                     .ridge = options.target.ridge,
                                     .temperature = options.target.temperature});
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored(sample, storage);
    const Ranking ranking = ridge_omp(stored.problem(), options);
    EXPECT_EQ(ranking.order, expected.order);
    EXPECT_NEAR(ranking.diagnostics.figures[0].second, expected.reliability, 1e-6);
    const double near = tolerance(storage) * expected.gains[0] * 10.0;
    for (std::size_t t = 0; t < expected.order.size(); ++t) {
      const Index column = expected.order[t];
      EXPECT_NEAR(ranking.scores[column],
                  t < expected.gains.size() ? expected.gains[t] : expected.first_gains[column],
                  near);
    }
  }
}

test::Sample without_labels(test::Sample sample) {
  sample.labels.clear();
  return sample;
}

TEST(RidgeOmp, MatchesTheNaiveFormulas) {
  for (const Index n_greedy : {3, 12}) {
    for (const auto& [rows, cols] : {std::pair<Index, Index>{40, 12}, {18, 30}}) {
      SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", " << n_greedy);
      expect_naive(test::blobs(rows, cols, 3, /*seed=*/1), n_greedy);
      expect_naive(without_labels(test::blobs(rows, cols, 3, /*seed=*/2)), n_greedy);
      expect_naive(without_labels(test::blobs_with_pairs(rows, cols, 3, /*seed=*/3)), n_greedy);
      expect_naive(without_labels(test::blobs_with_weighted_pairs(rows, cols, 3, /*seed=*/6)),
                   n_greedy);
      expect_naive({test::sparse_table(rows, cols, 4), test::blobs(rows, 1, 2, 0).labels},
                   n_greedy);
      expect_naive({test::integer_table(rows, cols, 5), test::blobs(rows, 1, 2, 0).labels},
                   n_greedy);
    }
  }
}

TEST(RidgeOmp, MatchesTheNaiveFormulasForEveryKindOfSupervision) {
  const test::Sample sample = test::blobs_with_pairs(24, 10, 1, /*seed=*/6);
  {
    SCOPED_TRACE("as many labels as classes");
    expect_naive(test::blobs(24, 10, 1, /*seed=*/7), 10);
  }
  {
    SCOPED_TRACE("all labels known");
    expect_naive(test::blobs(24, 10, 8, /*seed=*/8), 10);
  }
  {
    SCOPED_TRACE("one class");
    test::Sample one = test::blobs(24, 10, 4, /*seed=*/9);
    for (Index& label : one.labels) label = label == 1 ? 1 : kUnlabeled;
    expect_naive(one, 10);
  }
  for (const bool keeps_must : {true, false}) {
    SCOPED_TRACE(keeps_must ? "must-links alone" : "cannot-links alone");
    test::Sample pairs = without_labels(sample);
    (keeps_must ? pairs.pairs->cannot_link : pairs.pairs->must_link).clear();
    expect_naive(pairs, 10);
  }
}

TEST(RidgeOmp, MatchesTheNaiveFormulasForANumericTarget) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{40, 12}, {18, 30}}) {
    SCOPED_TRACE(testing::Message() << rows << " x " << cols);
    test::Sample sample = test::regression(rows, cols, /*seed=*/21);
    expect_naive(sample, 12);
    expect_naive(sample, 9, kFirstEdition);
    for (Index i = 0; i < rows; ++i) sample.values[i] = static_cast<double>(i * i % 7);
    expect_naive(sample, 12);  // all rows, ties, and nothing to predict
    expect_naive({test::sparse_table(rows, cols, 22), {}, {}, sample.values}, 12);
    expect_naive({test::integer_table(rows, cols, 23), {}, {}, sample.values}, 12);
  }
}

TEST(RidgeOmp, PrefersLabelsToANumericTargetAndThatToPairs) {
  test::Sample all = test::blobs_with_pairs(30, 12, 3, /*seed=*/24);
  const std::vector<Index> by_labels = order_of(all);
  all.values = test::regression(30, 12, /*seed=*/25).values;
  EXPECT_EQ(order_of(all), by_labels);
  test::Sample without_pairs = without_labels(all);
  without_pairs.pairs.reset();
  const std::vector<Index> by_values = order_of(without_pairs);
  EXPECT_EQ(order_of(without_labels(all)), by_values);
  EXPECT_NE(by_values, by_labels);
  const auto warnings = [&](const test::Sample& sample) {
    return ridge_omp(test::StoredSample(sample).problem(), kUnjudged).diagnostics.warnings;
  };
  EXPECT_EQ(warnings(without_pairs), std::vector<std::string>{});
  EXPECT_EQ(warnings(without_labels(all)),
            std::vector<std::string>{"the numeric target decides; 6 pairs are not used"});
}

TEST(RidgeOmp, HasThePropertiesOfAMethodWithANumericTarget) {
  test::expect_method_properties(method(kUnjudged), test::regression(50, 36, /*seed=*/26));
  test::expect_method_properties(method({.relevance = {.null = Null::labels, .n_decoys = 0}}),
                                 test::regression(50, 36, /*seed=*/27));
}

TEST(RidgeOmp, IgnoresUnitAndOriginOfANumericTarget) {
  const test::Sample sample = test::regression(40, 9, /*seed=*/28);
  for (const double unit : {-4.0, 1e-200, 1e100}) {
    test::Sample other = sample;
    for (double& value : other.values) value = unit * (value - 100.0);
    const Ranking ranking = ridge_omp(test::StoredSample(sample).problem());
    const Ranking changed = ridge_omp(test::StoredSample(other).problem());
    EXPECT_EQ(changed.order, ranking.order);
    test::expect_scores_near(changed.scores, ranking.scores, 1e-9);
    test::expect_scores_near(changed.relevance->p, ranking.relevance->p, 1e-9);
  }
}

TEST(RidgeOmp, FindsWhatANumericTargetIsMadeOf) {
  test::Sample sample{test::random_table(200, 300, /*seed=*/29)};
  for (Index i = 0; i < 200; ++i)
    sample.values.push_back(i % 2 == 0 ? sample.x(i, 7) - sample.x(i, 30) + sample.x(i, 290)
                                       : kUnknownValue);
  const Ranking ranking = ridge_omp(test::StoredSample(sample).problem());
  std::vector<Index> first(ranking.order.begin(), ranking.order.begin() + 3);
  std::ranges::sort(first);
  EXPECT_EQ(first, (std::vector<Index>{7, 30, 290}));
  EXPECT_EQ(ranking.relevance->null, Null::labels);
  EXPECT_EQ(ranking.relevance->n_backed, 3);
  EXPECT_LT(ranking.relevance->label_p.value(), 0.05);
}

TEST(RidgeOmp, SaysWhyANumericTargetWillNotDo) {
  test::Sample sample = test::regression(9, 4, /*seed=*/30);
  const auto complaint = [&](Ranks ranks) {
    return message_of<DataError>(
        [&] { ridge_omp(test::StoredSample(sample).problem(), {.ranks = ranks}); });
  };
  for (const Ranks ranks : {Ranks::exact, Ranks::levels}) {
    sample.values = {1.0,           2.0,           kUnknownValue, kUnknownValue, kUnknownValue,
                     kUnknownValue, kUnknownValue, kUnknownValue, kUnknownValue};
    EXPECT_EQ(complaint(ranks),
              "ridge_omp needs the numeric target of at least 3 rows, and knows that of 2");
    sample.values[1] = sample.values[2] = 1.0;
    EXPECT_EQ(complaint(ranks),
              "ridge_omp: the numeric target is 1 in all 3 rows whose value is known: nothing to "
              "predict");
  }
}

TEST(RidgeOmp, MatchesTheNaiveFormulasWithoutANugget) {
  expect_naive(test::blobs(40, 12, 3, /*seed=*/1), 12, kFirstEdition);
  expect_naive(without_labels(test::blobs_with_pairs(18, 30, 3, /*seed=*/3)), 9, kFirstEdition);
}

void expect_golden_orders(const std::string& edition, const RidgeOmpOptions& options) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(edition + " of " + name);
    test::GoldenOrders golden = test::load_golden_orders(name, edition);
    EXPECT_EQ(order_of(golden.sample, options), golden.with_labels);
    test::Sample other = without_labels(golden.sample);
    EXPECT_EQ(order_of(other, options), golden.unsupervised);
    other.pairs = golden.pairs;
    EXPECT_EQ(order_of(other, options), golden.with_pairs);
  }
}

TEST(RidgeOmp, HasTheGoldenOrders) {
  expect_golden_orders("ridge_omp", kFirstEdition);
  expect_golden_orders("ridge_omp2", kUnjudged);
}

TEST(RidgeOmp, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(kUnjudged), test::blobs(50, 36, 3, /*seed=*/10));
  test::expect_method_properties(method(choosing(8)), test::blobs(30, 80, 2, /*seed=*/11));
  test::expect_method_properties(method(choosing(100)),
                                 without_labels(test::blobs_with_pairs(50, 36, 3, /*seed=*/12)));
  // Folds and decoys are drawn by the places of columns and rows: those that need neither.
  test::expect_method_properties(method({.relevance = {.null = Null::labels, .n_decoys = 0}}),
                                 test::blobs(50, 36, 12, /*seed=*/10));
}

TEST(RidgeOmp, IgnoresIncreasingTransformsOfColumns) {
  const test::Sample sample = test::blobs(40, 9, 3, /*seed=*/13);
  test::Sample bent = sample;
  for (Index i = 0; i < 40; ++i) {
    bent.x(i, 0) = std::exp(bent.x(i, 0));
    bent.x(i, 4) = 1e6 + std::cbrt(bent.x(i, 4));
  }
  const Ranking expected = ridge_omp(test::StoredSample(sample).problem());
  const Ranking ranking = ridge_omp(test::StoredSample(bent).problem());
  EXPECT_EQ(ranking.order, expected.order);
  EXPECT_EQ(ranking.scores, expected.scores);
}

TEST(RidgeOmp, PutsACopyBehindEveryColumnThatAddsSomethingIfThereIsNoNugget) {
  for (const Index twin : {Index{0}, Index{3}, Index{19}}) {
    test::Sample sample = test::blobs(60, 20, 3, /*seed=*/14);
    for (Index i = 0; i < 60; ++i)
      sample.x(i, twin) = 3.0 + 2.0 * sample.x(i, twin == 1 ? 2 : 1);  // a copy of column 1
    for (const test::Storage storage : test::kStorages) {
      const std::vector<Index> order = order_of(sample, kFirstEdition, storage);
      EXPECT_EQ(order.back(), std::max<Index>(1, twin)) << name_of(storage);
    }
  }
}

TEST(RidgeOmp, ChoosesTheSameFirstFeaturesHoweverManyAreAsked) {
  const test::Sample sample = test::blobs(60, 40, 3, /*seed=*/15);
  const std::vector<Index> all = order_of(sample, choosing(40));
  for (const Index k : {1, 2, 7, 25}) {
    const std::vector<Index> order = order_of(sample, choosing(k));
    EXPECT_TRUE(std::equal(order.begin(), order.begin() + k, all.begin())) << k;
  }
}

TEST(RidgeOmp, ScoresWhatWasGainedEvenWhereALaterFeatureGainsMore) {
  const test::Sample sample = test::load_golden_orders("plain", "ridge_omp").sample;
  const Ranking ranking = ridge_omp(test::StoredSample(sample).problem(), kFirstEdition);
  std::vector<double> gains;
  for (const Index column : ranking.order) gains.push_back(ranking.scores[column]);
  EXPECT_FALSE(std::ranges::is_sorted(gains, std::ranges::greater())) << "0.419, then 0.444";
}

TEST(RidgeOmp, TakesThreeRows) {
  test::Sample sample = test::blobs(3, 5, 1, /*seed=*/16);
  expect_naive(sample, 5);
  sample.labels = {0, 1, kUnlabeled};
  expect_naive(sample, 5);
}

TEST(RidgeOmp, TakesKnownRowsThatAreAllAlike) {
  test::Sample sample = test::blobs(30, 6, 2, /*seed=*/17);
  for (Index i = 1; i < 30; ++i)
    if (sample.labels[i] != kUnlabeled)
      for (Index r = 0; r < 6; ++r) sample.x(i, r) = sample.x(0, r);
  const std::vector<Index> order = order_of(sample);
  EXPECT_EQ(order, order_of(without_labels(sample)));
}

TEST(RidgeOmp, SaysWhatItDoesNotUse) {
  const auto warnings = [](const test::Sample& sample, const RidgeOmpOptions& options = kUnjudged) {
    return ridge_omp(test::StoredSample(sample).problem(), options).diagnostics.warnings;
  };
  test::Sample sample = test::blobs(30, 6, 3, /*seed=*/20);
  EXPECT_TRUE(warnings(sample).empty());
  EXPECT_EQ(warnings(sample, choosing(9)),
            std::vector<std::string>{
                "ridge_omp: n_greedy = 9 is cut to the 6 features that add something"});
  sample.pairs = PairConstraints{.must_link = {{20, 21}}};
  EXPECT_EQ(warnings(sample), std::vector<std::string>{
                                  "the classes of the labels decide; 1 pair that they do not imply "
                                  "is not used"});
  for (Index& label : sample.labels) label = label == 0 ? 0 : kUnlabeled;
  EXPECT_EQ(warnings(sample),
            std::vector<std::string>{
                "ridge_omp: only one class is labeled; its rows count as must-linked"});
  EXPECT_NE(warnings({sample.x}).at(0).find("without supervision"), std::string::npos);
}

TEST(RidgeOmp, RefusesConstantTablesContradictionsAndOptionsOutOfRange) {
  EXPECT_EQ(
      message_of<DataError>([] { ridge_omp(test::StoredSample({test::Dense(9, 2)}).problem()); }),
      "ridge_omp: every column of the table is constant, so there is nothing to rank");
  test::Sample sample = test::blobs(12, 2, 2, /*seed=*/21);
  sample.pairs = PairConstraints{.must_link = {{0, 1}}};
  EXPECT_THROW(order_of(sample), DataError);
  EXPECT_THROW(order_of(test::blobs(12, 2, 2, 0), {.n_greedy = 0}), InvalidArgument);
  EXPECT_THROW(order_of(test::blobs(12, 2, 2, 0), {.nugget = -0.1}), InvalidArgument);
  EXPECT_EQ(
      message_of<InvalidArgument>([] { order_of(test::blobs(12, 2, 2, 0), {.nugget = HUGE_VAL}); }),
      "ridge_omp: nugget = inf is not a finite number");
}

TEST(RidgeOmp, SolvesManyLabelsAsItSolvesFew) {
  // 1002 labels go by conjugate gradients, 999 by the kernel: nearly the same problem.
  test::Sample sample = test::blobs(1200, 12, 334, /*seed=*/22);
  const test::StoredSample many(sample);
  for (Index i = 999; i < 1200; ++i) sample.labels[i] = kUnlabeled;
  const test::StoredSample few(sample);
  EXPECT_EQ(ridge_omp(many.problem(), kUnjudged).order, ridge_omp(few.problem(), kUnjudged).order);
}

TEST(RidgeOmp, TakesPairsOfMoreRowsThanAMatrixMayHaveAndSaysSo) {
  test::Sample sample = test::blobs(1100, 8, 1, /*seed=*/24);
  const std::vector<Index> expected = order_of(test::blobs(1100, 8, 366, /*seed=*/24));
  sample.labels.clear();
  sample.pairs.emplace();
  for (Index i = 0; i + 4 < 1100; ++i) {
    sample.pairs->must_link.push_back({i, i + 3});  // row i is of class i % 3
    sample.pairs->cannot_link.push_back({i, i + 4});
  }
  const test::StoredSample stored(sample);
  const Ranking ranking = ridge_omp(stored.problem());
  ASSERT_EQ(ranking.diagnostics.warnings.size(), 1U);
  EXPECT_EQ(ranking.diagnostics.warnings[0].find("1100 rows are in pairs; only those among the"),
            0U);
  EXPECT_EQ(ranking.order.front(), expected.front());
  sample.pairs.reset();
  sample.labels.assign(1100, 0);  // one class, as many must-links
  EXPECT_EQ(order_of(sample).size(), 8U);
}

TEST(RidgeOmp, ChangesNoBitWithTheThreadsWhereComponentsAreRandomised) {
  const test::Sample sample = test::blobs(1100, 1030, 3, /*seed=*/23);
  for (const test::Storage storage : {test::Storage::dense_float, test::Storage::csr_double}) {
    const test::StoredSample stored(sample, storage);
    const auto run = [&](int threads) {
      const ThreadLimit limit(threads);
      return ridge_omp(stored.problem(), {.n_greedy = 20}).scores;
    };
    EXPECT_EQ(run(1), run(3)) << name_of(storage);
  }
}

}  // namespace
}  // namespace tamis
