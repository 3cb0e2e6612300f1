#include "methods/ridge_omp/level_ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive_ridge_omp.hpp"
#include "support/wave_sample.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Features are chosen among all.
constexpr RidgeOmpOptions kUnjudged{.ranks = Ranks::levels, .relevance = {.fdr = 1.0}};
constexpr RidgeOmpOptions kJudged{.ranks = Ranks::levels, .relevance = {.n_decoys = 300}};

RidgeOmpOptions exact(RidgeOmpOptions options) {
  options.ranks = Ranks::exact;
  return options;
}

test::Sample without_labels(test::Sample sample) {
  sample.labels.clear();
  return sample;
}

void expect_equal(const Ranking& a, const Ranking& b) {
  EXPECT_EQ(a.order, b.order);
  test::expect_scores_near(a.scores, b.scores, 0.0);
  ASSERT_EQ(a.relevance.has_value(), b.relevance.has_value());
  if (!a.relevance) return;
  test::expect_scores_near(a.relevance->p, b.relevance->p, 0.0);
  EXPECT_EQ(a.relevance->step_p, b.relevance->step_p);
  EXPECT_EQ(a.relevance->label_p, b.relevance->label_p);
}

void expect_naive(const test::Sample& sample, Index n_greedy) {
  RidgeOmpOptions options = kUnjudged;
  options.n_greedy = n_greedy;
  const test::NaiveRidgeOmp expected =
      test::naive_ridge_omp(sample, {.n_greedy = n_greedy, .has_levels = true});
  const Ranking ranking = ridge_omp(test::StoredSample(sample).problem(), options);
  EXPECT_EQ(ranking.order, expected.order);
  EXPECT_NEAR(ranking.diagnostics.figures[0].second, expected.reliability, 1e-9);
  for (std::size_t t = 0; t < expected.order.size(); ++t) {
    const Index column = expected.order[t];
    EXPECT_NEAR(ranking.scores[column],
                t < expected.gains.size() ? expected.gains[t] : expected.first_gains[column],
                1e-9 * expected.gains[0]);
  }
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    expect_equal(ridge_omp(test::StoredSample(sample, storage).problem(), options), ranking);
  }
}

TEST(LevelRanking, MatchesTheNaiveFormulasOnLevels) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{40, 12}, {18, 30}}) {
    SCOPED_TRACE(testing::Message() << rows << " x " << cols);
    expect_naive(test::blobs(rows, cols, 3, /*seed=*/1), 12);
    expect_naive(without_labels(test::blobs(rows, cols, 3, /*seed=*/2)), 12);
    expect_naive(without_labels(test::blobs_with_pairs(rows, cols, 3, /*seed=*/3)), 12);
    expect_naive(without_labels(test::blobs_with_weighted_pairs(rows, cols, 3, /*seed=*/6)), 12);
    expect_naive({test::sparse_table(rows, cols, 4), test::blobs(rows, 1, 2, 0).labels}, 12);
    expect_naive({test::integer_table(rows, cols, 5), test::blobs(rows, 1, 2, 0).labels}, 12);
  }
  expect_naive(test::blobs(24, 10, 8, /*seed=*/8), 10);  // all labels
  expect_naive(test::regression(40, 12, /*seed=*/9), 12);
  expect_naive(test::regression(18, 30, /*seed=*/9), 12);
}

TEST(LevelRanking, HasThePropertiesOfAMethod) {
  const auto method = [](const RidgeOmpOptions& options) {
    return [options](const Problem& problem) { return ridge_omp(problem, options); };
  };
  test::expect_method_properties(method(kUnjudged), test::blobs(50, 36, 3, /*seed=*/10));
  test::expect_method_properties(method(kUnjudged),
                                 without_labels(test::blobs_with_pairs(50, 36, 3, /*seed=*/12)));
}

/// Some rows of a dense table.
MatrixView rows_of(const MatrixView& table, Index first, Index count) {
  return table.visit([&](const auto& x) -> MatrixView {
    if constexpr (requires { x.row(0); })
      return std::remove_cvref_t<decltype(x)>(x.row(first), count, x.cols());
    else
      return x;
  });
}

/// The answer of a table in blocks of `size` rows, each a state of its own, merged from the last to
/// the first.
template <class Make>
auto answered(const Problem& problem, Index size, const Make& make) {
  auto all = make();
  for (Index first = (problem.rows() - 1) / size * size; first >= 0; first -= size) {
    const MatrixView block = rows_of(problem.matrix, first, std::min(size, problem.rows() - first));
    auto some = make();
    if constexpr (requires { some.update(block, first); })
      some.update(block, first);
    else
      some.update(block);
    all.merge(some);
  }
  return all;
}

Ranking ranked_in_blocks(const Problem& problem, const RidgeOmpOptions& options, const Run& run,
                         Index size) {
  LevelRanking ranking(problem.rows(), problem.cols(), problem.known, options, run.seed);
  const auto accept = [&](const auto& make) { ranking.accept(answered(problem, size, make)); };
  for (;;) switch (ranking.asks()) {
      case LevelRanking::Asks::scan:
        accept([&] { return ColumnScan(problem.cols()); });
        break;
      case LevelRanking::Asks::levels:
        accept([&] { return LevelCounts(ranking.levels()); });
        break;
      case LevelRanking::Asks::codes:
        accept([&] { return CodeSums(ranking.levels(), ranking.code_rows()); });
        break;
      case LevelRanking::Asks::shares:
        accept([&] { return ShareSums(ranking.levels(), ranking.share_question()); });
        break;
      case LevelRanking::Asks::crossed:
        accept([&] { return CrossedSums(ranking.levels(), ranking.crossed_question()); });
        break;
      case LevelRanking::Asks::nothing:
        return ranking.result(run, {});
    }
}

TEST(LevelRanking, HasTheSameBitsWhateverTheBlocks) {
  const test::Sample labeled = test::wave_sample(700, 4, /*seed=*/1);
  const test::Sample paired = without_labels(test::blobs_with_pairs(60, 36, 3, /*seed=*/12));
  for (const test::Sample& sample : {labeled, paired})
    for (const test::Storage storage : {test::Storage::dense_double, test::Storage::dense_float}) {
      const test::StoredSample stored(sample, storage);
      const Ranking whole = ridge_omp(stored.problem(), kJudged, {.seed = 3});
      for (const Index size : {11, 512, 699, 1000}) {
        SCOPED_TRACE(size);
        expect_equal(ranked_in_blocks(stored.problem(), kJudged, {.seed = 3}, size), whole);
      }
    }
}

TEST(LevelRanking, HasTheSameBitsWhereBlocksHoldMoreThanIsTakenAtOnce) {
  // Rows are coded, and decoys looked up, 4,096 at a time.
  const test::StoredSample stored(test::wave_sample(5000, 4, /*seed=*/6));
  const Ranking whole = ridge_omp(stored.problem(), kJudged, {.seed = 3});
  for (const Index size : {700, 4500}) {
    SCOPED_TRACE(size);
    expect_equal(ranked_in_blocks(stored.problem(), kJudged, {.seed = 3}, size), whole);
  }
}

TEST(LevelRanking, CountsLevelsOfManyColumnsInParts) {
  const test::StoredSample stored(test::blobs(40, 600, 4, /*seed=*/4));
  const Ranking whole = ridge_omp(stored.problem(), kJudged, {.seed = 3});
  expect_equal(ranked_in_blocks(stored.problem(), kJudged, {.seed = 3}, 1000), whole);
}

TEST(LevelRanking, HasTheSameBitsForAnyNumberOfThreads) {
  const test::StoredSample stored(test::wave_sample(1500, 4, /*seed=*/2));
  const auto ranked = [&](int threads) {
    const ThreadLimit limit(threads);
    return ridge_omp(stored.problem(), kJudged, {.seed = 3});
  };
  const Ranking one = ranked(1);
  expect_equal(ranked(2), one);
  expect_equal(ranked(3), one);
}

TEST(LevelRanking, IsNearExactRanks) {
  for (const Index rows : {300, 5000}) {
    SCOPED_TRACE(rows);
    const test::StoredSample stored(test::wave_sample(rows, 5, /*seed=*/3));
    const Ranking levels = ridge_omp(stored.problem(), kUnjudged);
    const Ranking ranks = ridge_omp(stored.problem(), exact(kUnjudged));
    EXPECT_EQ(levels.order, ranks.order);
    test::expect_scores_near(levels.scores, ranks.scores, 2e-3);
  }
}

TEST(LevelRanking, SpreadsMoreLabelsThanColumnsByTheirSums) {
  for (const Index per_class : {350, 500}) {  // of 1,500 rows: some, all
    SCOPED_TRACE(per_class);
    const test::StoredSample stored(test::wave_sample(1500, per_class, /*seed=*/8));
    const Ranking levels = ridge_omp(stored.problem(), kUnjudged);
    const Ranking ranks = ridge_omp(stored.problem(), exact(kUnjudged));
    EXPECT_EQ(levels.order, ranks.order);
    test::expect_scores_near(levels.scores, ranks.scores, 2e-3);
    EXPECT_NEAR(levels.diagnostics.figures[0].second, ranks.diagnostics.figures[0].second, 1e-4);
    const Ranking judged = ridge_omp(stored.problem(), kJudged, {.seed = 3});
    EXPECT_EQ(judged.relevance->null, Null::labels);
    expect_equal(ranked_in_blocks(stored.problem(), kJudged, {.seed = 3}, 400), judged);
  }
}

/// p of the law, whatever is drawn.
void expect_near_judgement(const test::Sample& sample, Null null, double near) {
  RidgeOmpOptions options = kUnjudged;
  options.relevance = {.null = null, .n_decoys = 0};
  const test::StoredSample stored(sample);
  const Ranking levels = ridge_omp(stored.problem(), options, {.seed = 3});
  const Ranking ranks = ridge_omp(stored.problem(), exact(options), {.seed = 3});
  for (std::size_t r = 0; r < ranks.scores.size(); ++r) {
    const double expected = std::log(ranks.relevance->p[r]);
    EXPECT_NEAR(std::log(levels.relevance->p[r]), expected, near * std::max(1.0, -expected)) << r;
  }
  EXPECT_EQ(levels.relevance->n_relevant, ranks.relevance->n_relevant);
  EXPECT_EQ(levels.relevance->null, ranks.relevance->null);
  EXPECT_EQ(levels.relevance->label_p, ranks.relevance->label_p);
  ASSERT_EQ(levels.relevance->step_p.size(), ranks.relevance->step_p.size());
  for (std::size_t t = 0; t < ranks.relevance->step_p.size(); ++t)
    EXPECT_NEAR(levels.relevance->step_p[t], ranks.relevance->step_p[t], 0.02) << t;
}

TEST(LevelRanking, JudgesAsExactRanksDo) {
  expect_near_judgement(test::wave_sample(600, 4, /*seed=*/4), Null::table, 5e-3);
  expect_near_judgement(without_labels(test::wave_sample(600, 4, /*seed=*/5)), Null::table, 5e-3);
  expect_near_judgement(without_labels(test::blobs_with_pairs(200, 36, 3, /*seed=*/12)),
                        Null::table, 5e-3);
  expect_near_judgement(test::wave_sample(600, 200, /*seed=*/6), Null::labels, 5e-3);
  expect_near_judgement(test::wave_sample(1500, 350, /*seed=*/8), Null::labels, 5e-3);
  expect_near_judgement(test::wave_sample(1500, 500, /*seed=*/8), Null::labels, 5e-3);
  expect_near_judgement(test::wave_sample(1500, 500, /*seed=*/8), Null::table, 5e-3);
}

/// Half of the columns are rare 0/1 ones, which the law does not fit. None has to do with another:
/// else few permutations would decide on a threshold.
void expect_like_decoys(Index rows, Index per_class) {
  test::Sample sample{test::random_table(rows, 240, /*seed=*/7),
                      test::wave_sample(rows, per_class, 0).labels};
  for (Index r = 120; r < 240; ++r)
    for (Index i = 0; i < rows; ++i) sample.x(i, r) = sample.x(i, r) > 2.2 ? 1.0 : 0.0;
  const test::StoredSample stored(sample);
  const auto surprises = [&](const RidgeOmpOptions& options) {
    std::vector<double> thresholds;
    const Trace trace([&](const TraceEvent& event) {
      for (const auto& [name, value] : event.fields)
        if (name == "threshold") thresholds.push_back(std::get<double>(value));
    });
    ridge_omp(stored.problem(), options, {.seed = 3, .trace = trace});
    return thresholds;
  };
  constexpr RidgeOmpOptions kManyDecoys{.ranks = Ranks::levels, .relevance = {.n_decoys = 1000}};
  const std::vector<double> levels = surprises(kManyDecoys);
  const std::vector<double> ranks = surprises(exact(kManyDecoys));
  ASSERT_EQ(ranks.size(), 2U);
  ASSERT_EQ(levels.size(), 2U);
  for (std::size_t s = 0; s < ranks.size(); ++s) EXPECT_NEAR(levels[s], ranks[s], 0.4);
}

TEST(LevelRanking, DrawsDecoysLikeThoseOfExactRanks) {
  expect_like_decoys(400, 4);
  expect_like_decoys(1500, 350);  // of labeled rows, by sums
}

TEST(LevelRanking, PutsConstantColumnsLast) {
  const test::Sample sample =
      test::with_constant_column(test::blobs(50, 12, 3, /*seed=*/10), 4, 0.1);
  const Ranking ranking = ridge_omp(test::StoredSample(sample).problem(), kJudged);
  EXPECT_EQ(ranking.order.back(), 4);
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{4});
  EXPECT_FALSE(ranking.relevance->part[4]);
  test::Sample constant{test::Dense(5, 2)};
  EXPECT_EQ(
      message_of<DataError>([&] { ridge_omp(test::StoredSample(constant).problem(), kUnjudged); }),
      "ridge_omp: every column of the table is constant, so there is nothing to rank");
}

}  // namespace
}  // namespace tamis
