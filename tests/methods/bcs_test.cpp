#include "tamis/methods/bcs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "support/source_root.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/methods/constraint_score.hpp"

namespace tamis {
namespace {

struct Bag {
  std::vector<Index> must;
  std::vector<Index> cannot;
};

Trace collecting(std::vector<Bag>& bags) {
  return Trace([&bags](const TraceEvent& event) {
    bags.push_back({std::get<std::vector<Index>>(event.fields[1].second),
                    std::get<std::vector<Index>>(event.fields[2].second)});
  });
}

std::vector<RowPair> pairs_of(const test::RowMatrix& links) {
  std::vector<RowPair> pairs;
  for (Index i = 0; i < links.n; ++i)
    for (Index j = i + 1; j < links.n; ++j)
      if (links(i, j) > 0.0) pairs.push_back({i, j, links(i, j)});
  return pairs;
}

double sum_over(const test::Dense& x, Index r, const std::vector<RowPair>& pairs,
                const std::vector<Index>& drawn) {
  double sum = 0.0;
  for (const Index position : drawn)
    sum += pairs[position].weight *
           std::pow(x(pairs[position].first, r) - x(pairs[position].second, r), 2);
  return sum;
}

/// Mean rank (or score) over the bags, from the drawn positions alone.
std::vector<double> naive(const test::Sample& sample, const std::vector<Bag>& bags,
                          const BcsOptions& options) {
  const std::vector<RowPair> must = pairs_of(naive_must_links(sample));
  const std::vector<RowPair> cannot = pairs_of(naive_cannot_links(sample));
  const Index m = sample.x.cols;
  std::vector<double> sums(m, 0.0);
  for (const Bag& bag : bags) {
    std::vector<double> score(m, HUGE_VAL);
    for (Index r = 0; r < m; ++r) {
      const double near = sum_over(sample.x, r, must, bag.must);
      const double far = sum_over(sample.x, r, cannot, bag.cannot);
      if (is_constant(sample.x, r)) continue;
      score[r] = cannot.empty() ? near : must.empty() ? 1.0 / far : near / far;
      if (options.form == ConstraintScoreForm::difference) score[r] = near - options.nu * far;
    }
    for (Index r = 0; r < m; ++r) {
      double rank = 1.0;
      for (Index other = 0; other < m; ++other)
        if (score[other] < score[r] || (score[other] == score[r] && other < r)) rank += 1.0;
      sums[r] += (options.combine == BcsCombine::rank ? rank : score[r]) /
                 static_cast<double>(bags.size());
    }
  }
  for (Index r = 0; r < m; ++r)
    if (is_constant(sample.x, r)) sums[r] = kUndefined;
  return sums;
}

nlohmann::json golden_bags(const std::string& name) {
  std::ifstream file(source_root() / "tests/data/golden" / (name + ".json"));
  return nlohmann::json::parse(file)["bcs"];
}

void expect_matches_trace(const test::Sample& sample, const BcsOptions& options) {
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored(sample, storage);
    tamis::Run run{.seed = 11};
    std::vector<Bag> bags;
    run.trace = collecting(bags);
    const Ranking ranking = bcs(stored.problem(), options, run);
    ASSERT_EQ(std::ssize(bags), options.n_bags);
    test::expect_scores_near(ranking.scores, naive(sample, bags, options), tolerance(storage));
    EXPECT_EQ(ranking.better, Better::lower);
    EXPECT_EQ(ranking.committee->members, options.n_bags);
  }
}

TEST(Bcs, CanBeRecomputedFromTheTrace) {
  for (const test::Sample& sample : {test::blobs_with_pairs(30, 7, 3, /*seed=*/1),
                                     test::blobs_with_weighted_pairs(30, 7, 3, /*seed=*/1)})
    for (const BcsCombine combine : {BcsCombine::rank, BcsCombine::score})
      for (const ConstraintScoreForm form :
           {ConstraintScoreForm::ratio, ConstraintScoreForm::difference})
        expect_matches_trace(sample, {.n_bags = 17, .combine = combine, .form = form, .nu = 0.7});
}

TEST(Bcs, IsRecomputedToTheGoldenValues) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    const test::Golden golden = test::load_golden(name);
    const nlohmann::json expected = golden_bags(name);
    std::vector<Bag> bags;
    for (const auto& bag : expected["bags"]) bags.push_back({bag["must_link"], bag["cannot_link"]});
    const auto scores = [&](ConstraintScoreForm form, BcsCombine combine) {
      return naive(golden.sample, bags, {.combine = combine, .form = form});
    };
    const auto ratio = ConstraintScoreForm::ratio;
    const auto difference = ConstraintScoreForm::difference;
    const auto expect = [&](const std::vector<double>& found, const char* key) {
      for (std::size_t r = 0; r < found.size(); ++r)
        EXPECT_TRUE(expected[key][r].is_null()
                        ? std::isnan(found[r])
                        : std::abs(found[r] - expected[key][r].get<double>()) <
                              1e-9 * std::abs(found[r]));
    };
    expect(scores(ratio, BcsCombine::rank), "ratio_rank");
    expect(scores(difference, BcsCombine::rank), "difference_rank");
    expect(scores(difference, BcsCombine::score), "difference_score");
  }
}

TEST(Bcs, UsesTheFallbackWithoutCannotLinksOrWithoutMustLinks) {
  test::Sample sample = test::blobs(20, 5, 0, /*seed=*/1);
  sample.pairs = PairConstraints{.must_link = {{0, 3}, {1, 4}, {2, 5}}, .cannot_link = {}};
  expect_matches_trace(sample, {.n_bags = 9});
  std::swap(sample.pairs->must_link, sample.pairs->cannot_link);
  expect_matches_trace(sample, {.n_bags = 9});
  expect_matches_trace(sample, {.n_bags = 9, .combine = BcsCombine::score});
  expect_matches_trace(sample, {.n_bags = 9, .form = ConstraintScoreForm::difference});
}

TEST(Bcs, LeavesAConstantColumnUndefinedAndLast) {
  const test::Sample sample = with_constant_column(test::blobs(20, 5, 3, /*seed=*/1), 0, 4.0);
  expect_matches_trace(sample, {.n_bags = 9});
  const test::StoredSample stored(sample);
  const Ranking ranking = bcs(stored.problem());
  EXPECT_EQ(ranking.diagnostics.undefined, (std::vector<Index>{0}));
  EXPECT_EQ(ranking.order.back(), 0);
}

TEST(Bcs, NearsTheConstraintScoreWhenBagsAreMany) {
  const test::StoredSample stored(test::blobs(60, 6, 10, /*seed=*/4));
  const Ranking many = bcs(stored.problem(), {.n_bags = 2000, .combine = BcsCombine::score});
  const Ranking whole = constraint_score(stored.problem());
  test::expect_scores_near(many.scores, whole.scores, 0.02);
  EXPECT_EQ(many.order, whole.order);
}

TEST(Bcs, GivesTheSameBitsForAnyNumberOfThreadsAndScale) {
  const test::Sample sample = test::blobs(40, 9, 4, /*seed=*/2);
  test::Sample larger = sample;
  for (double& value : larger.x.values) value *= 4.0;
  const test::StoredSample stored(sample);
  const test::StoredSample stored_larger(larger);
  const auto run = [](const Problem& problem, int threads) {
    const ThreadLimit limit(threads);
    return bcs(problem, {.n_bags = 25, .combine = BcsCombine::score}).scores;
  };
  test::expect_scores_near(run(stored.problem(), 3), run(stored.problem(), 1), 0.0);
  test::expect_scores_near(run(stored_larger.problem(), 1), run(stored.problem(), 1), 0.0);
}

TEST(Bcs, FailsWithoutConstraintsAndWithoutBags) {
  const test::StoredSample stored(test::blobs(20, 5, 0, /*seed=*/1));
  EXPECT_EQ(message_of<DataError>([&] { bcs(stored.problem()); }),
            message_of<DataError>([&] { check_needs(BcsOptions::info, stored.problem()); }));
  EXPECT_EQ(message_of<InvalidArgument>([&] { bcs(stored.problem(), {.n_bags = 0}); }),
            "bcs: n_bags = 0 must be in [1, 10000000]");
}

TEST(Bcs, KeepsWhatEachBagRanksIfTheyAreToVote) {
  const test::StoredSample stored(test::blobs(30, 9, 4, /*seed=*/2));
  const Ranking silent = bcs(stored.problem(), {.n_bags = 6});
  EXPECT_TRUE(silent.member_orders.empty());
  const Ranking voting = bcs(stored.problem(), {.n_bags = 6, .vote = true});
  EXPECT_EQ(voting.scores, silent.scores);
  ASSERT_EQ(voting.member_orders.size(), 6U);
  std::vector<double> places(9, 0.0);
  for (const std::vector<Index>& order : voting.member_orders)
    for (Index place = 0; place < 9; ++place)
      places[order[place]] += static_cast<double>(place + 1) / 6.0;
  test::expect_scores_near(places, voting.scores, 1e-12);
}

}  // namespace
}  // namespace tamis
