#include "tamis/methods/sbcs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method(SbcsOptions options = {}) {
  return [options](const Problem& problem) { return sbcs(problem, options); };
}

/// The formulas word for word, on a table of doubles.
class Naive {
 public:
  Naive(const test::Sample& sample, const SbcsOptions& options)
      : sample_(sample), options_(options), z_(sample.x) {
    const auto n = static_cast<double>(z_.rows);
    for (Index r = 0; r < z_.cols; ++r) {
      double mean = 0.0, squares = 0.0;
      for (Index i = 0; i < z_.rows; ++i) mean += sample.x(i, r) / n;
      for (Index i = 0; i < z_.rows; ++i) squares += std::pow(sample.x(i, r) - mean, 2) / n;
      for (Index i = 0; i < z_.rows; ++i) z_(i, r) = (sample.x(i, r) - mean) / std::sqrt(squares);
    }
    want();
  }

  double error(const std::vector<Index>& features) const {
    double sum = 0.0;
    for (const auto& [pair, wanted] : wanted_) {
      const double d = distance(pair.first, pair.second, features);
      const double w = std::exp(-d / (2.0 * options_.sigma * options_.sigma));
      sum += 2.0 * wanted.weight * std::pow(w - wanted.target, 2);
    }
    return sum;
  }

  SelectionPath path() const {
    SelectionPath path;
    while (std::ssize(path.features) < std::min(options_.max_features, z_.cols)) {
      Index best = -1;
      double least = HUGE_VAL;
      for (Index r = 0; r < z_.cols; ++r) {
        if (std::ranges::count(path.features, r) > 0) continue;
        std::vector<Index> features = path.features;
        features.push_back(r);
        const double found = error(features);
        if (found < least * (1.0 - 1e-10)) {
          best = r;
          least = found;
        }
      }
      path.features.push_back(best);
      path.criterion.push_back(least);
    }
    return path;
  }

 private:
  struct Wanted {
    double target;
    double weight;
  };

  double distance(Index i, Index j, const std::vector<Index>& features) const {
    double sum = 0.0;
    for (const Index r : features) sum += std::pow(z_(i, r) - z_(j, r), 2);
    return sum;
  }

  Index nearest_class(Index i) const {
    const std::vector<Index>& labels = sample_.labels;
    if (labels[i] != kUnlabeled) return labels[i];
    Index nearest = -1;
    double least = HUGE_VAL;
    for (Index q = 0; q < z_.rows; ++q) {
      const double d = distance(i, q, all_indices(z_.cols));
      if (labels[q] == kUnlabeled || d >= least * (1.0 - 1e-10)) continue;
      nearest = q;
      least = d;
    }
    return labels[nearest];
  }

  void want() {
    const std::vector<Index> labels =
        sample_.labels.empty() ? std::vector<Index>(z_.rows, kUnlabeled) : sample_.labels;
    for (Index j = 0; j < z_.rows; ++j)
      for (Index i = 0; i < j; ++i) {
        if (options_.mode == SbcsMode::semi)
          wanted_[{i, j}] = {nearest_class(i) == nearest_class(j) ? 1.0 : 0.0, 1.0};
        else if (labels[i] != kUnlabeled && labels[j] != kUnlabeled)
          wanted_[{i, j}] = {labels[i] == labels[j] ? 1.0 : 0.0, 1.0};
      }
    if (!sample_.pairs) return;
    std::map<std::pair<Index, Index>, Wanted> given;  // the larger weight of each pair
    for (const double target : {1.0, 0.0})
      for (const RowPair& pair :
           target == 1.0 ? sample_.pairs->must_link : sample_.pairs->cannot_link) {
        const auto key = std::minmax(pair.first, pair.second);
        const bool is_labeled =
            labels[pair.first] != kUnlabeled && labels[pair.second] != kUnlabeled;
        const double known = given.contains(key) ? given[key].weight : is_labeled ? 1.0 : 0.0;
        if (pair.weight > known) given[key] = {target, pair.weight};
      }
    for (const auto& [key, wanted] : given) wanted_[key] = wanted;
  }

  const test::Sample& sample_;
  SbcsOptions options_;
  test::Dense z_;
  std::map<std::pair<Index, Index>, Wanted> wanted_;
};

void expect_naive(const test::Sample& sample, const SbcsOptions& options) {
  const Naive naive(sample, options);
  const SelectionPath expected = naive.path();
  for (const test::Storage storage : test::kStorages) {
    SCOPED_TRACE(name_of(storage));
    const test::StoredSample stored(sample, storage);
    const Ranking ranking = sbcs(stored.problem(), options);
    EXPECT_EQ(ranking.path->features, expected.features);
    test::expect_scores_near(ranking.path->criterion, expected.criterion, 1e-11);
    // The subset is what it is said to be, its error computed from nothing.
    const Index kept =
        std::ranges::min_element(expected.criterion) - expected.criterion.begin() + 1;
    ASSERT_EQ(std::ssize(*ranking.subset), kept);
    EXPECT_NEAR(naive.error(*ranking.subset), expected.criterion[kept - 1], 1e-10);
  }
}

TEST(Sbcs, MatchesTheNaiveChoice) {
  const test::Sample sparse{test::sparse_table(50, 9, /*seed=*/2), test::blobs(50, 1, 4, 0).labels};
  const test::Sample ties{test::integer_table(40, 6, /*seed=*/3), test::blobs(40, 1, 3, 0).labels};
  for (const SbcsMode mode : {SbcsMode::semi, SbcsMode::supervised})
    for (const test::Sample& sample : {test::blobs(70, 8, 3, /*seed=*/1), sparse, ties})
      for (const Index steps : {3, 200})
        expect_naive(sample,
                     {.mode = mode, .sigma = steps == 3 ? 0.7 : 1.0, .max_features = steps});
}

TEST(Sbcs, MatchesTheNaiveChoiceOnMoreRowsThanATile) {
  expect_naive(test::blobs(150, 5, 2, /*seed=*/4), {.max_features = 2});
  expect_naive(test::blobs(150, 5, 50, /*seed=*/4),
               {.mode = SbcsMode::supervised, .max_features = 2});
}

TEST(Sbcs, TakesPairsAndTheirWeights) {
  for (const SbcsMode mode : {SbcsMode::semi, SbcsMode::supervised})
    for (const test::Sample& sample : {test::blobs_with_pairs(70, 6, 3, /*seed=*/5),
                                       test::blobs_with_weighted_pairs(70, 6, 3, /*seed=*/6)})
      expect_naive(sample, {.mode = mode, .max_features = 4});
}

TEST(Sbcs, TakesPairsAlone) {
  test::Sample sample = test::blobs_with_weighted_pairs(40, 6, 3, /*seed=*/7);
  sample.labels.clear();
  expect_naive(sample, {.mode = SbcsMode::supervised});
  for (const bool keeps_must : {true, false}) {  // one kind suffices
    test::Sample one_kind = sample;
    (keeps_must ? one_kind.pairs->cannot_link : one_kind.pairs->must_link).clear();
    expect_naive(one_kind, {.mode = SbcsMode::supervised});
  }
}

TEST(Sbcs, TakesManyListedPairs) {  // more than are gathered at a time
  test::Sample sample{test::random_table(60, 4, /*seed=*/8)};
  sample.pairs.emplace();
  for (Index j = 0; j < 60; ++j)
    for (Index i = 0; i < j; ++i)
      (i % 2 == j % 2 ? sample.pairs->must_link : sample.pairs->cannot_link).push_back({j, i});
  expect_naive(sample, {.mode = SbcsMode::supervised});
}

TEST(Sbcs, HasThePropertiesOfAMethod) {
  for (const SbcsMode mode : {SbcsMode::semi, SbcsMode::supervised})
    test::expect_method_properties(method({.mode = mode}),
                                   test::blobs_with_weighted_pairs(150, 40, 4, /*seed=*/9));
}

TEST(Sbcs, HasTheGoldenValues) { test::expect_golden_paths<SbcsOptions>(sbcs); }

/// Rows (1,0), (0,4), (1,6), (1.5,10), (3,5): must-link of the first and the fourth, cannot-link of
/// the second and the fifth.
TEST(Sbcs, PrefersTheFirstFeatureOfTheFiveRows) {
  test::Sample sample{test::Dense(5, 2)};
  sample.x.values = {1, 0, 0, 4, 1, 6, 1.5, 10, 3, 5};
  sample.pairs = PairConstraints{.must_link = {{0, 3}}, .cannot_link = {{1, 4}}};
  const Ranking ranking =
      sbcs(test::StoredSample(sample).problem(), {.mode = SbcsMode::supervised});
  EXPECT_EQ(ranking.path->features, (std::vector<Index>{0, 1}));
  test::expect_scores_near(ranking.path->criterion, {0.02998034522590806, 1.9715783553520987},
                           1e-12);
  EXPECT_EQ(ranking.subset, std::vector<Index>{0});
}

TEST(Sbcs, LeavesNoErrorWhereOneColumnTellsItAll) {
  // Ten standard deviations between the classes, none within: w is 1 and almost 0.
  test::Sample sample{test::Dense(8, 2), {0, 0, 0, 0, 1, 1, 1, 1}};
  for (Index i = 0; i < 8; ++i) {
    sample.x(i, 0) = static_cast<double>(i * i % 5);
    sample.x(i, 1) = i < 4 ? 1.0 : 2.0;
  }
  const Ranking ranking = sbcs(test::StoredSample(sample).problem(), {.sigma = 0.05});
  EXPECT_EQ(ranking.subset, std::vector<Index>{1});
  EXPECT_LT(ranking.path->criterion[0], 1e-300);
}

TEST(Sbcs, ChoosesTheSamePrefixForAnyLength) {
  const test::StoredSample stored(test::blobs(60, 12, 3, /*seed=*/10));
  const std::vector<Index> all = sbcs(stored.problem()).path->features;
  ASSERT_EQ(all.size(), 12U);
  for (const Index length : {1, 5, 11}) {
    const Ranking some = sbcs(stored.problem(), {.max_features = length});
    EXPECT_EQ(some.path->features, std::vector(all.begin(), all.begin() + length));
    EXPECT_TRUE(some.diagnostics.undefined.empty());
  }
}

TEST(Sbcs, BreaksTiesOfTwinColumnsByTheLower) {
  test::Sample sample = test::blobs(40, 3, 3, /*seed=*/11);
  for (Index i = 0; i < 40; ++i) sample.x(i, 2) = 3.0 * sample.x(i, 0) - 7.0;
  const Ranking ranking = sbcs(test::StoredSample(sample).problem(), {.max_features = 1});
  EXPECT_LT(ranking.scores[0], ranking.scores[2]);
  const std::vector<Index> moved{2, 1, 0};
  const Ranking again =
      sbcs(test::StoredSample(permute_columns(sample, moved)).problem(), {.max_features = 1});
  EXPECT_EQ(again.scores, ranking.scores);
}

TEST(Sbcs, CondensesUnlabeledRows) {
  const test::StoredSample stored(test::blobs(400, 5, 3, /*seed=*/12));
  const Ranking ranking = sbcs(stored.problem(), {.condense = {.condense = Condense::som}});
  EXPECT_EQ(ranking.path->features.size(), 5U);
  EXPECT_EQ(ranking.diagnostics.figures.front().first, "map_rows");
  const Ranking supervised = sbcs(
      stored.problem(), {.mode = SbcsMode::supervised, .condense = {.condense = Condense::som}});
  EXPECT_EQ(supervised.diagnostics.warnings,
            std::vector<std::string>{
                "condense changes nothing: mode supervised looks at linked rows only"});
}

std::string complaint(const test::Sample& sample, const SbcsOptions& options = {}) {
  return message_of<DataError>([&] { sbcs(test::StoredSample(sample).problem(), options); });
}

TEST(Sbcs, RefusesWhatIsNotKnownEnough) {
  const SbcsOptions supervised{.mode = SbcsMode::supervised};
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/13);
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  EXPECT_EQ(complaint(sample),
            "sbcs needs labels of at least two classes, and the 3 labeled rows all belong to one");
  sample.labels.clear();
  EXPECT_EQ(complaint(sample), "sbcs needs labels, and no row has one");
  EXPECT_EQ(complaint(sample, supervised),
            "sbcs needs must-link or cannot-link pairs, and there are none");
  sample.pairs = PairConstraints{.must_link = {{0, 1, 0.0}}};
  EXPECT_EQ(complaint(sample, supervised),
            "sbcs needs must-link or cannot-link pairs, and all that are given weigh 0");
  sample = {test::Dense(6, 2), {0, 1, 0, 1, 0, 1}};
  EXPECT_EQ(complaint(sample),
            "sbcs: every column of the table is constant, so there is nothing to rank");
}

TEST(Sbcs, RefusesMoreRowsThanItTakes) {
  test::Sample sample = test::blobs(kMaxSbcsRows + 1, 1, 2, /*seed=*/14);
  EXPECT_EQ(complaint(sample),
            "sbcs compares every two rows, and 50001 are more than the 50000 that it takes; set "
            "condense = som, or take fewer rows");
  for (Index i = 0; i < sample.x.rows; ++i) sample.labels[i] = i % 3;
  EXPECT_EQ(
      complaint(sample, {.mode = SbcsMode::supervised}),
      "sbcs compares every two labeled rows, and 50001 are more than the 50000 that it takes; "
      "label fewer rows");
}

TEST(Sbcs, RefusesOptionsOutOfRange) {
  const test::StoredSample stored(test::blobs(30, 3, 3, /*seed=*/15));
  EXPECT_EQ(message_of<InvalidArgument>([&] { sbcs(stored.problem(), {.sigma = 0.0}); }),
            "sbcs: sigma = 0 must be > 0");
  EXPECT_EQ(message_of<InvalidArgument>([&] { sbcs(stored.problem(), {.max_features = 0}); }),
            "sbcs: max_features = 0 must be >= 1");
}

}  // namespace
}  // namespace tamis
