#include "tamis/methods/relieff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

test::Rank method(RelieffOptions options = {}) {
  return [options](const Problem& problem) { return relieff(problem, options); };
}

/// |x_ij - x_qj| / range of column j over all rows.
class Differences {
 public:
  explicit Differences(const test::Dense& x) : x_(x) {
    for (Index r = 0; r < x.cols; ++r) {
      double low = x(0, r);
      double high = x(0, r);
      for (Index i = 0; i < x.rows; ++i) {
        low = std::min(low, x(i, r));
        high = std::max(high, x(i, r));
      }
      ranges_.push_back(high > low ? high - low : 1.0);
    }
  }
  double operator()(Index i, Index q, Index r) const {
    return std::abs(x_(i, r) - x_(q, r)) / ranges_[r];
  }
  double distance(Index i, Index q) const {
    double sum = 0.0;
    for (Index r = 0; r < x_.cols; ++r) sum += (*this)(i, q, r);
    return sum;
  }

 private:
  const test::Dense& x_;
  std::vector<double> ranges_;
};

/// The k rows of a class nearest to row i; distances that differ by rounding alone are equal.
std::vector<Index> nearest(const test::Sample& sample, const Differences& difference, Index i,
                           Index label, Index k) {
  std::vector<std::pair<double, Index>> rows;
  for (Index q = 0; q < sample.x.rows; ++q)
    if (q != i && sample.labels[q] == label)
      rows.emplace_back(std::round(difference.distance(i, q) * 1e9), q);
  std::ranges::sort(rows);
  std::vector<Index> chosen;
  for (Index s = 0; s < std::min(k, std::ssize(rows)); ++s) chosen.push_back(rows[s].second);
  return chosen;
}

/// The formula word for word: a loop over rows, classes and neighbours.
std::vector<double> naive(const test::Sample& sample, Index k) {
  const Differences difference(sample.x);
  std::map<Index, double> share;
  double labeled = 0.0;
  for (const Index label : sample.labels) labeled += label == kUnlabeled ? 0.0 : 1.0;
  for (const Index label : sample.labels)
    if (label != kUnlabeled) share[label] += 1.0 / labeled;
  return naive_scores(sample.x, [&](Index r) {
    double weight = 0.0;
    for (Index i = 0; i < sample.x.rows; ++i) {
      const Index own = sample.labels[i];
      if (own == kUnlabeled) continue;
      for (const auto& [label, p] : share) {
        const std::vector<Index> rows = nearest(sample, difference, i, label, k);
        double mean = 0.0;
        for (const Index q : rows) mean += difference(i, q, r) / static_cast<double>(rows.size());
        weight += (label == own ? -mean : p / (1.0 - share[own]) * mean) / labeled;
      }
    }
    return weight;
  });
}

TEST(Relieff, MatchesALoop) {
  test::Sample unbalanced = test::blobs(40, 8, 8, /*seed=*/1);
  unbalanced.labels[0] = unbalanced.labels[3] = unbalanced.labels[6] = kUnlabeled;
  const test::Sample sparse{test::sparse_table(45, 6, /*seed=*/2), test::blobs(45, 1, 9, 0).labels};
  const test::Sample ties{test::integer_table(50, 5, /*seed=*/3), test::blobs(50, 1, 12, 0).labels};
  for (const Index k : {1, 3, 10, 100})
    for (const test::Sample& sample : {unbalanced, sparse, ties})
      test::expect_matches(method({.n_neighbors = k}), sample, naive(sample, k));
}

TEST(Relieff, MatchesALoopWhereRowsAndColumnsComeInSeveralTiles) {
  const test::Sample many_rows = test::blobs(330, 3, 110, /*seed=*/4);
  test::expect_matches(method({.n_neighbors = 2}), many_rows, naive(many_rows, 2));
  const test::Sample many_columns = test::blobs(12, 1100, 4, /*seed=*/5);
  test::expect_matches(method({.n_neighbors = 2}), many_columns, naive(many_columns, 2));
}

TEST(Relieff, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), test::blobs(90, 40, 25, /*seed=*/6));
  test::expect_method_properties(method({.n_neighbors = 1}), test::blobs(400, 600, 100, 7));
}

TEST(Relieff, HasTheGoldenValues) { test::expect_golden<RelieffOptions>(relieff); }

/// RReliefF word for word: three sums over rows and their neighbours.
std::vector<double> naive_by_values(const test::Sample& sample, Index k, double decay) {
  const Differences difference(sample.x);
  std::vector<Index> rows;
  for (Index i = 0; i < sample.x.rows; ++i)
    if (!std::isnan(sample.values[i])) rows.push_back(i);
  const auto by_value = [&](Index a, Index b) { return sample.values[a] < sample.values[b]; };
  const double range = sample.values[*std::ranges::max_element(rows, by_value)] -
                       sample.values[*std::ranges::min_element(rows, by_value)];
  return naive_scores(sample.x, [&](Index r) {
    double n_c = 0.0, n_j = 0.0, n_cj = 0.0;
    for (const Index i : rows) {
      std::vector<std::pair<double, Index>> near;
      for (const Index q : rows)
        if (q != i) near.emplace_back(std::round(difference.distance(i, q) * 1e9), q);
      std::ranges::sort(near);
      near.resize(std::min<std::size_t>(near.size(), static_cast<std::size_t>(k)));
      double total = 0.0;
      for (std::size_t s = 1; s <= near.size(); ++s)
        total += std::exp(-std::pow(static_cast<double>(s) / decay, 2));
      for (std::size_t s = 1; s <= near.size(); ++s) {
        const Index q = near[s - 1].second;
        const double d = std::exp(-std::pow(static_cast<double>(s) / decay, 2)) / total;
        const double apart = std::abs(sample.values[i] - sample.values[q]) / range;
        n_c += d * apart;
        n_j += d * difference(i, q, r);
        n_cj += d * apart * difference(i, q, r);
      }
    }
    return n_cj / n_c - (n_j - n_cj) / (static_cast<double>(rows.size()) - n_c);
  });
}

TEST(Relieff, MatchesALoopForANumericTarget) {
  const test::Sample plain = test::regression(40, 8, /*seed=*/21);
  const test::Sample sparse{
      test::sparse_table(45, 6, /*seed=*/22), {}, {}, test::regression(45, 1, 0).values};
  const test::Sample ties{
      test::integer_table(50, 5, /*seed=*/23), {}, {}, test::regression(50, 1, 0).values};
  for (const Index k : {1, 3, 100})
    for (const double decay : {2.0, 20.0})
      for (const test::Sample& sample : {plain, sparse, ties})
        test::expect_matches(method({.n_neighbors = k, .rank_decay = decay}), sample,
                             naive_by_values(sample, k, decay));
  const test::Sample many_rows = test::regression(660, 3, /*seed=*/24);
  test::expect_matches(method({.n_neighbors = 2}), many_rows, naive_by_values(many_rows, 2, 20.0));
}

TEST(Relieff, HasTheGoldenValuesForANumericTarget) {
  for (const char* const name : test::kGoldenNames) {
    SCOPED_TRACE(name);
    test::Golden golden = test::load_golden(name);
    golden.sample.labels.clear();
    golden.sample.values = golden.rrelieff.target;
    const Ranking ranking =
        relieff(test::StoredSample(golden.sample).problem(),
                parse_options<RelieffOptions>("relieff", golden.rrelieff.options));
    EXPECT_EQ(word_of(ranking.better), golden.rrelieff.better);
    test::expect_scores_near(ranking.scores, golden.rrelieff.scores, 1e-9);
  }
}

TEST(Relieff, HasThePropertiesOfAMethodWithANumericTarget) {
  test::expect_method_properties(method(), test::regression(90, 40, /*seed=*/25));
}

TEST(Relieff, SeesWhatTwoFeaturesTellOfANumericTargetOnlyTogether) {
  test::Sample sample{test::random_table(300, 6, /*seed=*/26)};
  for (Index i = 0; i < 300; ++i) sample.values.push_back(sample.x(i, 0) * sample.x(i, 1));
  const Ranking ranking = relieff(test::StoredSample(sample).problem());
  EXPECT_LT(ranking.order[0] + ranking.order[1], 2);
}

TEST(Relieff, LeavesOutASideOnWhichNothingCounts) {
  // Two far groups: neighbours never differ in their value, or, one by one, always do.
  test::Sample apart{test::Dense(6, 2), {}, {}, {0, 0, 0, 1, 1, 1}};
  apart.x.values = {0, 1, 0.1, 2, 0.2, 3, 50, 1, 50.1, 2, 50.2, 3};
  for (const double score : relieff(test::StoredSample(apart).problem(), {.n_neighbors = 1}).scores)
    EXPECT_LT(score, 0.0);
  apart.values = {0, 1, 0, 0, 1, 0};
  for (const double score : relieff(test::StoredSample(apart).problem(), {.n_neighbors = 1}).scores)
    EXPECT_TRUE(std::isfinite(score));
}

TEST(Relieff, SaysWhyANumericTargetWillNotDo) {
  test::Sample sample = test::regression(6, 2, /*seed=*/27);
  const auto complaint = [&] {
    return message_of<DataError>([&] { relieff(test::StoredSample(sample).problem()); });
  };
  for (const Index i : {0, 2, 4}) sample.x(i, 0) = sample.x(i, 1) = 0.1;
  EXPECT_EQ(complaint(),
            "relieff: every column is constant over the rows whose target is known; more rows need "
            "one");
  for (double& value : sample.values) value = 0.5;
  EXPECT_EQ(complaint(),
            "relieff: the numeric target is 0.5 in all 6 rows whose value is known: nothing to "
            "predict");
}

TEST(Relieff, IsReliefForTwoClassesAndOneNeighbour) {
  // Kira, Rendell 1992: every row counts its nearest hit against a feature, its nearest miss for
  // it.
  test::Sample sample = test::blobs(60, 5, 12, /*seed=*/8);
  for (Index& label : sample.labels) label = label == 2 ? kUnlabeled : label;
  const Differences difference(sample.x);
  const std::vector<double> expected = naive_scores(sample.x, [&](Index r) {
    double weight = 0.0;
    for (Index i = 0; i < 60; ++i) {
      const Index own = sample.labels[i];
      if (own == kUnlabeled) continue;
      weight -= difference(i, nearest(sample, difference, i, own, 1)[0], r) / 24.0;
      weight += difference(i, nearest(sample, difference, i, 1 - own, 1)[0], r) / 24.0;
    }
    return weight;
  });
  test::expect_matches(method({.n_neighbors = 1}), sample, expected);
}

TEST(Relieff, SeesWhatTwoFeaturesTellOnlyTogether) {
  // The class is whether f0 and f1 have the same sign; each alone says nothing.
  test::Sample sample{test::random_table(200, 6, /*seed=*/9), std::vector<Index>(200)};
  for (Index i = 0; i < 200; ++i) sample.labels[i] = sample.x(i, 0) * sample.x(i, 1) > 0.0 ? 1 : 0;
  const Ranking ranking = relieff(test::StoredSample(sample).problem());
  EXPECT_LT(ranking.order[0] + ranking.order[1], 2);
}

TEST(Relieff, TakesRangesOverAllRowsAndNeighboursAmongLabeledOnes) {
  test::Sample sample = test::blobs(30, 4, 5, /*seed=*/10);
  sample.x(29, 0) = 1000.0;  // an unlabeled row stretches the range
  test::expect_matches(method({.n_neighbors = 3}), sample, naive(sample, 3));
}

TEST(Relieff, GivesALoneMemberOfItsClassNoHit) {
  test::Sample sample = test::blobs(30, 4, 5, /*seed=*/11);
  for (Index i = 5; i < 30; i += 3) sample.labels[i] = kUnlabeled;  // class 2 keeps row 2
  test::expect_matches(method({.n_neighbors = 3}), sample, naive(sample, 3));
  const test::Sample lone = test::blobs(9, 3, 1, /*seed=*/12);
  test::expect_matches(method(), lone, naive(lone, 10));
}

TEST(Relieff, ScoresAColumnZeroThatIsConstantOnTheLabeledRowsOnly) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/13);
  for (Index i = 0; i < 9; ++i) sample.x(i, 1) = 0.1;
  const Ranking ranking = relieff(test::StoredSample(sample).problem());
  EXPECT_EQ(ranking.scores[1], 0.0);
  EXPECT_FALSE(std::signbit(ranking.scores[1]));
  EXPECT_TRUE(ranking.diagnostics.undefined.empty());
}

TEST(Relieff, DoesNotFeelAnOffset) {
  test::Sample sample = test::blobs(60, 4, 20, /*seed=*/14);
  for (double& value : sample.x.values) value = std::round(value * 64.0);
  const std::vector<double> scores = relieff(test::StoredSample(sample).problem()).scores;
  for (double& value : sample.x.values) value += 0x1p40;
  EXPECT_EQ(relieff(test::StoredSample(sample).problem()).scores, scores);
}

TEST(Relieff, RefusesTooFewClassesConstantColumnsAndNoNeighbours) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/15);
  const auto complaint = [&] {
    return message_of<DataError>([&] { relieff(test::StoredSample(sample).problem()); });
  };
  EXPECT_EQ(message_of<InvalidArgument>(
                [&] { relieff(test::StoredSample(sample).problem(), {.n_neighbors = 0}); }),
            "relieff: n_neighbors = 0 must be >= 1");
  for (Index i = 0; i < 9; ++i)
    for (Index r = 0; r < 3; ++r) sample.x(i, r) = 0.1;
  EXPECT_EQ(complaint(),
            "relieff: every column is constant over the labeled rows; label more rows");
  for (Index& label : sample.labels) label = label == 0 ? 0 : kUnlabeled;
  EXPECT_EQ(complaint(),
            "relieff needs labels of at least two classes, and the 3 labeled rows all belong to "
            "one");
  sample.labels.clear();
  EXPECT_EQ(complaint(), "relieff needs labels, and no row has one");
}

}  // namespace
}  // namespace tamis
