#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "methods/relevance/label_permutations.hpp"
#include "methods/relevance/lone_column.hpp"
#include "methods/ridge_omp/given_folds.hpp"
#include "support/golden.hpp"
#include "support/golden_relevance.hpp"
#include "support/message_of.hpp"
#include "support/naive_algebra.hpp"
#include "support/naive_ridge_omp.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

void expect_same_logarithms(const std::vector<double>& actual,
                            const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t r = 0; r < actual.size(); ++r) {
    EXPECT_EQ(std::isnan(actual[r]), std::isnan(expected[r])) << r;
    if (std::isnan(expected[r])) continue;
    EXPECT_NEAR(std::log(actual[r]), std::log(expected[r]), 1e-6) << r;
  }
}

TEST(Relevance, IsTheGoldenOne) {
  for (const char* const name : test::kGoldenNames)
    for (const test::GoldenRelevance& golden : test::load_golden_relevance(name)) {
      SCOPED_TRACE(golden.title);
      const Relevance& expected = golden.relevance;
      const Ranking ranking = ridge_omp_in_folds(
          test::StoredSample(golden.sample).problem(),
          {.relevance = {.fdr = expected.fdr, .null = expected.null, .n_decoys = 0}}, {},
          golden.folds);
      ASSERT_TRUE(ranking.relevance);
      EXPECT_EQ(ranking.order, golden.order);
      EXPECT_EQ(ranking.diagnostics.iterations, std::ssize(golden.gains));
      for (std::size_t t = 0; t < golden.gains.size(); ++t)
        EXPECT_NEAR(ranking.scores[ranking.order[t]], golden.gains[t], 1e-9 * golden.gains[0]);
      const Relevance& found = *ranking.relevance;
      EXPECT_EQ(found.null, expected.null);
      EXPECT_EQ(found.fdr, expected.fdr);
      expect_same_logarithms(found.p, expected.p);
      expect_same_logarithms(found.q, expected.q);
      expect_same_logarithms(found.step_p, expected.step_p);
      EXPECT_EQ(found.part, expected.part);
      EXPECT_EQ(found.n_backed, expected.n_backed);
      EXPECT_EQ(found.n_relevant, expected.n_relevant);
    }
}

Ranking judged(const test::Sample& sample, const RelevanceOptions& options = {},
               const Run& run = {}) {
  return ridge_omp(test::StoredSample(sample).problem(), {.relevance = options}, run);
}

TEST(Relevance, JudgesByLabelsWhereHalfOfTheRowsHaveOne) {
  EXPECT_EQ(judged(test::blobs(30, 6, 5, /*seed=*/1)).relevance->null, Null::labels);
  EXPECT_EQ(judged(test::blobs(30, 6, 4, /*seed=*/1)).relevance->null, Null::table);
  EXPECT_EQ(judged(test::blobs(30, 6, 4, /*seed=*/1), {.null = Null::labels}).relevance->null,
            Null::labels);
  test::Sample one_class = test::blobs(30, 6, 10, /*seed=*/1);
  for (Index& label : one_class.labels) label = 0;
  EXPECT_EQ(judged(one_class).relevance->null, Null::table);
  EXPECT_FALSE(judged(one_class).relevance->label_p);
  EXPECT_EQ(message_of<DataError>([&] { judged(one_class, {.null = Null::labels}); }),
            "ridge_omp: null = labels needs labels of at least two classes, or a numeric target; "
            "null = table judges features without them");
}

/// -ln p of a share x of a target with a single column: the law of a squared correlation.
double naive_p(double squared_correlation, Index rows) {
  // P(B >= x) of a beta(1/2, (n-2)/2) variable, by the midpoint rule in its angle.
  constexpr int kSteps = 200'000;
  const double n = static_cast<double>(rows);
  const double limit = std::asin(std::sqrt(squared_correlation));
  const auto integral = [&](double from) {
    double sum = 0.0;
    const double width = (std::acos(0.0) - from) / kSteps;
    for (int s = 0; s < kSteps; ++s) sum += std::pow(std::cos(from + (s + 0.5) * width), n - 3.0);
    return sum * width;
  };
  return integral(limit) / integral(0.0);
}

TEST(Relevance, OfANumericTargetIsTheLawOfItsCorrelations) {
  test::Sample sample = test::regression(40, 6, /*seed=*/31);
  sample.values[0] += 100.0;  // is cut at three standard deviations
  const Relevance found = *judged(sample, {.null = Null::labels, .n_decoys = 0}).relevance;
  std::vector<double> y;
  for (Index i = 0; i < 40; i += 2) y.push_back(sample.values[i]);
  y = test::naive_centered(y);
  const double cut = 3.0 * std::sqrt(test::naive_dot(y, y) / 20.0);
  for (double& value : y) value = std::clamp(value, -cut, cut);
  y = test::naive_centered(y);
  for (Index r = 0; r < 6; ++r) {
    std::vector<double> column;
    for (Index i = 0; i < 40; ++i) column.push_back(sample.x(i, r));
    const std::vector<double> ranks = test::naive_ranks(column);
    std::vector<double> known;
    for (Index i = 0; i < 40; i += 2) known.push_back(ranks[i]);
    known = test::naive_centered(known);
    const double squared = std::pow(test::naive_dot(known, y), 2) / test::naive_dot(known, known) /
                           test::naive_dot(y, y);
    const double expected = naive_p(squared, 20);
    EXPECT_NEAR(std::log(found.p[r]), std::log(expected), 0.05) << r;  // saddle point
  }
}

TEST(Relevance, JudgesByANumericTargetWhereHalfOfTheRowsHaveOne) {
  test::Sample sample = test::regression(30, 6, /*seed=*/32);
  EXPECT_EQ(judged(sample).relevance->null, Null::labels);
  sample.values[0] = kUnknownValue;
  EXPECT_EQ(judged(sample).relevance->null, Null::table);
  EXPECT_LT(judged(sample).relevance->label_p.value(), 0.05);
}

TEST(Relevance, WarnsOfARandomNumericTarget) {
  test::Sample sample = test::regression(60, 10, /*seed=*/33);
  sample.values = test::regression(60, 10, /*seed=*/34).values;
  const Ranking ranking = judged(sample);
  ASSERT_GT(*ranking.relevance->label_p, 0.05);
  EXPECT_EQ(ranking.diagnostics.warnings,
            std::vector<std::string>{
                fmt::format("ridge_omp: the target can't be told from a random one (p = {})",
                            *ranking.relevance->label_p)});
}

TEST(Relevance, LooksAtAThousandRowsOfANumericTargetAtMost) {
  const test::StoredSample stored(test::regression(2100, 3, /*seed=*/35));
  EXPECT_EQ(label_p(RankedTable(stored.problem().matrix), stored.problem().known, 0), 0.001);
}

TEST(Relevance, DealsFoldsOfEqualSizeAndTellsThem) {
  std::vector<std::optional<Index>> folds;
  tamis::Run run{.seed = 1};
  run.trace = Trace([&](const TraceEvent& event) {
    if (event.name == "folds")
      folds = std::get<std::vector<std::optional<Index>>>(event.fields[0].second);
  });
  const test::Sample sample = test::with_constant_column(test::blobs(40, 24, 3, 2), 4, 0.1);
  const Ranking ranking = judged(sample, {.n_folds = 5}, run);
  ASSERT_EQ(folds.size(), 24U);
  std::vector<Index> sizes(5, 0);
  for (Index r = 0; r < 24; ++r)
    if (r != 4) ++sizes.at(folds[r].value());
  EXPECT_FALSE(folds[4]);
  std::ranges::sort(sizes);
  EXPECT_EQ(sizes, (std::vector<Index>{4, 4, 5, 5, 5}));
  std::vector<Index> given;
  for (const auto& fold : folds) given.push_back(fold.value_or(kNoFold));
  const Ranking again = ridge_omp_in_folds(test::StoredSample(sample).problem(), {}, run, given);
  EXPECT_EQ(again.relevance->q[0], ranking.relevance->q[0]) << "the trace is enough";
  EXPECT_TRUE(std::isnan(ranking.relevance->p[4]));
  EXPECT_FALSE(ranking.relevance->part[4]);
  run.seed = 2;
  EXPECT_NE(judged(sample, {.n_folds = 5}, run).relevance->p, ranking.relevance->p);
}

TEST(Relevance, DealsColumnsOfOneFeatureTogether) {
  const std::vector<Index> columns = {0, 1, 3, 4, 5, 6, 7, 8};
  const std::vector<Index> groups = {0, 7, 7, 7, 4, 5, 9, 9, 8};
  const std::vector<Index> folds = deal_folds(columns, 9, groups, 3, /*seed=*/1);
  EXPECT_EQ(folds[1], folds[3]);
  EXPECT_EQ(folds[6], folds[7]);
  EXPECT_EQ(folds[2], kNoFold) << "it was not given, as if it were constant";
  std::vector<Index> features(3, 0);
  for (const Index first : {0, 1, 4, 5, 6, 8}) ++features[folds[first]];
  EXPECT_EQ(features, (std::vector<Index>{2, 2, 2}));
  EXPECT_EQ(deal_folds(columns, 9, all_indices(9), 3, 1), deal_folds(columns, 9, {}, 3, 1));
}

/// Columns of noise, then 0/1 columns of a text that takes one of three values at random.
test::Sample noise_and_a_text(std::uint64_t seed) {
  test::Sample sample = test::blobs(150, 9, 3, seed);
  RandomStream random(seed, 1);
  for (Index i = 0; i < sample.x.rows; ++i) {
    for (Index r = 0; r < 6; ++r) sample.x(i, r) = random.normal();
    const Index category = random.below(3);
    for (Index c = 0; c < 3; ++c) sample.x(i, 6 + c) = category == c ? 1.0 : 0.0;
  }
  return sample;
}

TEST(Relevance, DoesNotJudgeACategoryByTheOthersOfItsText) {
  for (const Ranks ranks : {Ranks::exact, Ranks::levels}) {
    int together = 0, apart = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const test::StoredSample stored(noise_and_a_text(seed));
      Problem problem = stored.problem();
      const auto is_found = [&] {
        const Relevance found = *ridge_omp(problem, {.ranks = ranks}, {.seed = seed}).relevance;
        return std::any_of(found.q.begin() + 6, found.q.end(), [](double q) { return q <= 0.1; });
      };
      apart += is_found() ? 1 : 0;
      problem.feature_groups = {0, 1, 2, 3, 4, 5, 6, 6, 6};
      together += is_found() ? 1 : 0;
    }
    EXPECT_LE(together, 2);
    EXPECT_GE(apart, 5) << "else the test shows nothing";
  }
}

TEST(Relevance, TakesTablesWithFewerColumnsThanFolds) {
  for (const Index cols : {1, 2, 3}) {
    const Relevance found = *judged(test::blobs(30, cols, 3, /*seed=*/3)).relevance;
    EXPECT_EQ(std::ssize(found.p), cols);
    EXPECT_EQ(found.p[0] == 1.0, cols == 1) << "nothing is left to make a target of";
  }
}

TEST(Relevance, TakesTwoAndThreeRows) {
  for (const Index rows : {2, 3}) {
    test::Sample sample = test::blobs(rows, 5, 1, /*seed=*/4);
    for (const Null null : {Null::labels, Null::table}) {
      const Ranking ranking = judged(sample, {.null = null});
      for (const double p : ranking.relevance->p) EXPECT_TRUE(p >= 0.0 && p <= 1.0) << p;
      EXPECT_EQ(ranking.relevance->n_backed, 0) << rows << " rows prove nothing";
    }
  }
}

TEST(Relevance, GivesAColumnThatIsConstantOnTheLabeledRowsNothing) {
  test::Sample sample = test::blobs(40, 6, 7, /*seed=*/5);
  for (Index i = 0; i < 40; ++i)
    if (sample.labels[i] != kUnlabeled) sample.x(i, 2) = 0.1;
  const Relevance found = *judged(sample).relevance;
  EXPECT_EQ(found.null, Null::labels);
  EXPECT_EQ(found.p[2], 1.0);
  EXPECT_EQ(found.part[2], Part::rest);
}

TEST(Relevance, ChangesNoBitWithTheThreads) {
  for (const Index per_class : {3, 20}) {
    test::Sample sample = test::blobs(60, 150, per_class, /*seed=*/6);
    for (Index i = 0; i < 60; ++i)
      for (Index r = 100; r < 150; ++r) sample.x(i, r) = i % 17 == r % 17 ? 1.0 : 0.0;
    for (const test::Storage storage : test::kStorages) {
      const test::StoredSample stored(sample, storage);
      const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return ridge_omp(stored.problem());
      };
      const Ranking one = run(1);
      const Ranking three = run(3);
      EXPECT_EQ(one.order, three.order);
      EXPECT_EQ(one.relevance->p, three.relevance->p);
      EXPECT_EQ(one.relevance->step_p, three.relevance->step_p);
      EXPECT_EQ(one.relevance->label_p, three.relevance->label_p);
    }
  }
}

TEST(Relevance, JudgesSparseAndSingleTablesAsDenseOnes) {
  const test::Sample sample{test::sparse_table(80, 30, /*seed=*/7),
                            test::blobs(80, 1, 3, 0).labels};
  std::vector<double> first;
  for (const test::Storage storage : test::kStorages) {
    const test::StoredSample stored(sample, storage);
    const std::vector<double> p = ridge_omp(stored.problem()).relevance->p;
    if (first.empty()) first = p;
    for (std::size_t r = 0; r < p.size(); ++r)
      EXPECT_NEAR(std::log(p[r]), std::log(first[r]), 1e-3) << name_of(storage) << ", " << r;
  }
}

TEST(Relevance, PutsRelevantFeaturesFirstAndTheOthersByP) {
  const test::Sample sample = test::blobs(60, 100, 4, /*seed=*/8);
  const Ranking ranking = judged(sample);
  const Relevance& found = *ranking.relevance;
  const Index chosen = ranking.diagnostics.iterations;
  EXPECT_GT(found.n_relevant, 0);
  EXPECT_LE(found.n_backed, chosen);
  for (Index place = 0; place < 100; ++place) {
    const Index column = ranking.order[place];
    EXPECT_EQ(found.q[column] <= found.fdr, place < found.n_relevant);
    EXPECT_EQ(found.part[column] == Part::backed, place < found.n_backed);
    EXPECT_TRUE(place <= chosen || found.p[column] >= found.p[ranking.order[place - 1]]);
  }
  EXPECT_FALSE(judged(sample, {.fdr = 1.0}).relevance);
}

/// The share of permutations whose sum of G_j B_j is as large, (1 + count) / 1000.
double naive_label_p(const RankedTable& z, const std::vector<Index>& labels) {
  std::vector<Index> rows, known;
  for (Index i = 0; i < std::ssize(labels); ++i)
    if (labels[i] != kUnlabeled) rows.push_back(i), known.push_back(labels[i]);
  const auto statistic = [&](const std::vector<Index>& of_rows) {
    double sum = 0.0;
    for (Index r = 0; r < z.cols(); ++r) {
      std::vector<double> column(rows.size());
      z.copy_rows(rows, r, 1, column.data());
      const double mean = test::naive_mean(column);
      for (Index c = 0; c < 3; ++c) {
        double total = 0.0, members = 0.0;
        for (std::size_t s = 0; s < rows.size(); ++s)
          if (of_rows[s] == c) total += column[s], members += 1.0;
        if (members > 0.0) sum += z.spread()[r] * members * std::pow(total / members - mean, 2);
      }
    }
    return sum;
  };
  RandomStream random(/*seed=*/1);
  const double said = statistic(known) * (1.0 - 1e-10);
  Index as_large = 1;
  std::vector<Index> permuted = known;
  for (int k = 0; k < 999; ++k) {
    random.shuffle(permuted);
    as_large += statistic(permuted) >= said ? 1 : 0;
  }
  return static_cast<double>(as_large) / 1000.0;
}

TEST(LabelP, IsTheShareOfPermutationsThatSayAsMuch) {
  for (const std::uint64_t seed : {9, 10, 11}) {
    test::Sample sample{test::random_table(20, 6, seed), test::blobs(20, 1, 4, 0).labels};
    const test::StoredSample stored(sample);
    const RankedTable z(stored.problem().matrix);
    EXPECT_NEAR(*label_p(z, stored.problem().known, 5), naive_label_p(z, sample.labels), 0.06);
  }
  const test::StoredSample clear(test::blobs(60, 6, 5, /*seed=*/12));
  EXPECT_LE(*label_p(RankedTable(clear.problem().matrix), clear.problem().known, 5), 0.01);
  const test::StoredSample none({test::random_table(20, 6, 1)});
  EXPECT_FALSE(label_p(RankedTable(none.problem().matrix), none.problem().known, 5));
}

TEST(LabelP, LooksAtSomeRowsOfEachClassWhereThereAreMany) {
  test::Sample sample{test::random_table(3000, 4, /*seed=*/13), std::vector<Index>(3000, 0)};
  for (Index i = 0; i < 3000; i += 100) {
    sample.labels[i] = 1;  // 30 rows, none of which may get lost
    sample.x(i, 2) += 3.0;
  }
  const test::StoredSample stored(sample);
  const RankedTable z(stored.problem().matrix);
  EXPECT_LE(*label_p(z, stored.problem().known, 5), 0.01);
}

/// The largest share of the variance of a column that lies between two classes.
double naive_largest_share(const RankedTable& z, const std::vector<Index>& rows,
                           const std::vector<Index>& labels) {
  double largest = 0.0;
  for (Index r = 0; r < z.cols(); ++r) {
    std::vector<double> column(rows.size());
    z.copy_rows(rows, r, 1, column.data());
    column = test::naive_centered(column);
    double between = 0.0;
    for (Index c = 0; c < 2; ++c) {
      double total = 0.0, members = 0.0;
      for (std::size_t s = 0; s < rows.size(); ++s)
        if (labels[s] == c) total += column[s], members += 1.0;
      between += total * total / members;
    }
    largest = std::max(largest, between / test::naive_dot(column, column));
  }
  return largest;
}

/// Noise, but for column 3, which is shifted in one of two classes of which some rows are labeled.
test::Sample lone_sample(Index rows, Index cols, double shift, std::uint64_t seed) {
  test::Sample sample{test::random_table(rows, cols, seed), std::vector<Index>(rows, kUnlabeled)};
  for (Index i = 0; i < rows; ++i) {
    if (i % 3 == 0) sample.labels[i] = i % 2;
    if (i % 2 == 0) sample.x(i, 3) += shift;
  }
  return sample;
}

TEST(LoneColumn, IsTheOneThatChanceWouldNotExplain) {
  const test::Sample sample = lone_sample(60, 8, /*shift=*/2.5, /*seed=*/3);
  const test::StoredSample stored(sample);
  const RankedTable z(stored.problem().matrix);
  const auto lone = lone_column(z, stored.problem().known, all_indices(8), /*seed=*/0);
  ASSERT_TRUE(lone);
  EXPECT_EQ(lone->column, 3);
  std::vector<Index> rows = labeled_rows(stored.problem().known), labels;
  for (const Index row : rows) labels.push_back(sample.labels[row]);
  const double given = naive_largest_share(z, rows, labels) * (1.0 - 1e-10);
  RandomStream random(/*seed=*/1);
  Index as_large = 1;
  for (int k = 0; k < 999; ++k) {
    random.shuffle(labels);
    as_large += naive_largest_share(z, rows, labels) >= given ? 1 : 0;
  }
  EXPECT_NEAR(lone->p, static_cast<double>(as_large) / 1000.0, 0.005);
  EXPECT_FALSE(lone_column(z, stored.problem().known, std::vector<Index>{0, 1, 2, 4}, 0));
}

TEST(LoneColumn, IsRareInNoise) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const test::StoredSample stored(lone_sample(40, 20, /*shift=*/0.0, seed));
    const RankedTable z(stored.problem().matrix);
    found += lone_column(z, stored.problem().known, all_indices(20), seed) ? 1 : 0;
  }
  EXPECT_LE(found, 6);  // 2 are expected; more than 6 in one of 200 such tests
}

TEST(LoneColumn, MayTellOfANumericTarget) {
  test::Sample sample = test::regression(90, 6, /*seed=*/36);
  sample.x = test::random_table(90, 6, /*seed=*/37);
  for (Index i = 0; i < 90; ++i) {
    if (i % 3 != 0)
      sample.values[i] = kUnknownValue;
    else
      sample.x(i, 5) += 2.0 * sample.values[i];
  }
  const test::StoredSample stored(sample);
  const RankedTable z(stored.problem().matrix);
  const auto lone = lone_column(z, stored.problem().known, all_indices(6), /*seed=*/0);
  ASSERT_TRUE(lone);
  EXPECT_EQ(lone->column, 5);
}

TEST(LoneColumn, NeedsLabels) {
  const test::StoredSample none({test::random_table(20, 6, 1)});
  const RankedTable z(none.problem().matrix);
  EXPECT_FALSE(lone_column(z, none.problem().known, all_indices(6), 0));
  const test::StoredSample labeled(lone_sample(60, 8, 2.5, 3));
  EXPECT_FALSE(lone_column(RankedTable(labeled.problem().matrix), labeled.problem().known, {}, 0));
}

TEST(Relevance, WarnsOfAColumnThatOnlyTheKnownRowsSpeakFor) {
  const test::Sample sample = lone_sample(60, 8, /*shift=*/2.5, /*seed=*/3);
  const test::StoredSample stored(sample);
  const RankedTable z(stored.problem().matrix);
  const std::string warning = fmt::format(
      "ridge_omp: on the known rows alone column 3 has to do with the labels (p = {}), which no "
      "other column bears out: null = labels judges features so",
      lone_column(z, stored.problem().known, all_indices(8), /*seed=*/0)->p);
  const auto says = [&](const Ranking& ranking) {
    return std::ranges::count(ranking.diagnostics.warnings, warning) == 1;
  };
  EXPECT_TRUE(says(judged(sample)));
  EXPECT_TRUE(says(ridge_omp(stored.problem(), {.ranks = Ranks::levels})));
  EXPECT_FALSE(says(judged(sample, {.null = Null::table})));
  const Ranking by_labels = judged(sample, {.null = Null::labels});
  EXPECT_FALSE(says(by_labels));
  EXPECT_EQ(by_labels.order.front(), 3);
}

TEST(Relevance, WarnsOfRandomLabels) {
  const test::Sample sample{test::random_table(30, 40, /*seed=*/14),
                            test::blobs(30, 1, 10, 0).labels};
  const Ranking ranking = judged(sample);
  ASSERT_GT(*ranking.relevance->label_p, 0.05);
  EXPECT_EQ(ranking.diagnostics.warnings,
            std::vector<std::string>{
                fmt::format("ridge_omp: the labels can't be told from random ones (p = {})",
                            *ranking.relevance->label_p)});
}

TEST(Relevance, RefusesTooFewDecoysAndLevelsOutOfRange) {
  const test::Sample sample = test::blobs(12, 3, 2, /*seed=*/15);
  EXPECT_EQ(message_of<InvalidArgument>([&] { judged(sample, {.n_decoys = 100}); }),
            "ridge_omp: n_decoys = 100 are too few to read a tail from; give more than 100, or 0 "
            "for none");
  EXPECT_NO_THROW(judged(sample, {.n_decoys = 101}));
  EXPECT_THROW(judged(sample, {.fdr = 0.0}), InvalidArgument);
  EXPECT_THROW(judged(sample, {.fdr = 1.1}), InvalidArgument);
  EXPECT_THROW(judged(sample, {.n_folds = 1}), InvalidArgument);
}

}  // namespace
}  // namespace tamis
