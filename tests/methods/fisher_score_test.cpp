#include "tamis/methods/fisher_score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/golden.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method() {
  return [](const Problem& problem) { return fisher_score(problem); };
}

struct Summary {
  double count = 0.0;
  double mean = 0.0;
  double variance = 0.0;
};

/// Of column r over the labeled rows of one class, or of all classes (-1).
Summary summary(const test::Sample& sample, Index r, Index label) {
  std::vector<double> f;
  for (Index i = 0; i < sample.x.rows; ++i)
    if (sample.labels[i] >= 0 && (label < 0 || sample.labels[i] == label))
      f.push_back(sample.x(i, r));
  Summary result{.count = static_cast<double>(f.size())};
  for (const double value : f) result.mean += value / result.count;
  for (const double value : f)
    result.variance += (value - result.mean) * (value - result.mean) / result.count;
  return result;
}

double naive_fisher_score(const test::Sample& sample, Index r) {
  double above = 0.0;
  double below = 0.0;
  const Summary all = summary(sample, r, -1);
  for (Index label = 0; label < 3; ++label) {
    const Summary members = summary(sample, r, label);
    above += members.count * std::pow(members.mean - all.mean, 2);
    below += members.count * members.variance;
  }
  return above / below;
}

TEST(FisherScore, MatchesTheNaiveFormula) {
  test::Sample unbalanced = test::blobs(40, 8, 5, /*seed=*/1);
  unbalanced.labels[0] = unbalanced.labels[3] = kUnlabeled;
  test::Sample sparse{test::sparse_table(45, 6, /*seed=*/2), test::blobs(45, 1, 9, 0).labels};
  for (const test::Sample& sample : {unbalanced, sparse})
    test::expect_matches(method(), sample, naive_scores(sample.x, [&](Index r) {
                           return naive_fisher_score(sample, r);
                         }));
}

TEST(FisherScore, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), test::blobs(60, 40, 4, /*seed=*/3));
}

TEST(FisherScore, HasTheGoldenValues) { test::expect_golden<FisherScoreOptions>(fisher_score); }

TEST(FisherScore, DoesNotChangeWhenEveryRowComesTwice) {
  const test::Sample once = test::blobs(30, 5, 4, /*seed=*/4);
  test::Sample twice{test::Dense(60, 5), std::vector<Index>(60)};
  for (Index i = 0; i < 60; ++i) {
    twice.labels[i] = once.labels[i / 2];
    for (Index r = 0; r < 5; ++r) twice.x(i, r) = once.x(i / 2, r);
  }
  const test::StoredSample a(once);
  const test::StoredSample b(twice);
  test::expect_scores_near(fisher_score(b.problem()).scores, fisher_score(a.problem()).scores,
                           1e-12);
}

TEST(FisherScore, IsNotInfiniteWhereOnlyTheSquaresVanish) {  // 1e-200 squared is 0
  test::Sample sample = test::blobs(30, 2, 4, /*seed=*/4);
  for (Index i = 0; i < sample.x.rows; ++i) sample.x(i, 0) *= 1e-200;
  for (const test::Storage storage : {test::Storage::dense_double, test::Storage::csr_double}) {
    const test::StoredSample stored(sample, storage);
    EXPECT_EQ(fisher_score(stored.problem()).diagnostics.undefined, std::vector<Index>{0});
  }
}

TEST(FisherScore, IsInfiniteForAPerfectSeparatorAndUndefinedWhereLabeledRowsAgree) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/5);
  for (Index i = 0; i < 9; ++i) {
    sample.x(i, 1) = 0.1 * static_cast<double>(sample.labels[i]);
    sample.x(i, 2) = 0.1;
  }
  const test::StoredSample stored(sample);
  const Ranking ranking = fisher_score(stored.problem());
  EXPECT_EQ(ranking.scores[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{2});
  EXPECT_EQ(ranking.order, (std::vector<Index>{1, 0, 2}));
}

TEST(FisherScore, RefusesOneClassAndColumnsThatNeverVary) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/6);
  for (Index& label : sample.labels) label = label == 0 ? 0 : kUnlabeled;
  EXPECT_THROW(fisher_score(test::StoredSample(sample).problem()), DataError);
  const test::Sample constant{test::Dense(6, 2), {0, 1, 0, 1, 0, 1}};
  EXPECT_THROW(fisher_score(test::StoredSample(constant).problem()), DataError);
}

}  // namespace
}  // namespace tamis
