#include "tamis/methods/fcbf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive_information.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/information_gain.hpp"

namespace tamis {
namespace {

test::Rank method(FcbfOptions options = {}) {
  return [options](const Problem& problem) { return fcbf(problem, options); };
}

double naive_uncertainty(const std::vector<Index>& a, const std::vector<Index>& b) {
  const double total = test::naive_entropy(a) + test::naive_entropy(b);
  return total > 0.0 ? std::round(2e10 * test::naive_information(a, b) / total) / 1e10 : 0.0;
}

/// As the paper says it: a list from which removed features are struck off.
SelectionPath naive_path(const test::Sample& sample, const FcbfOptions& options) {
  const auto states = test::naive_states(sample, options.states.state_width);
  std::vector<std::pair<double, Index>> list;
  for (Index r = 0; r < sample.x.cols; ++r) {
    const double relevance = naive_uncertainty(states[r], test::naive_labels(sample));
    if (relevance > options.delta) list.emplace_back(-relevance, r);
  }
  std::ranges::sort(list);
  SelectionPath path;
  std::vector<bool> is_removed(list.size(), false);
  for (std::size_t p = 0; p < list.size(); ++p) {
    if (is_removed[p]) continue;
    path.features.push_back(list[p].second);
    path.criterion.push_back(-list[p].first);
    for (std::size_t q = p + 1; q < list.size(); ++q)
      if (naive_uncertainty(states[list[p].second], states[list[q].second]) >= -list[q].first)
        is_removed[q] = true;
  }
  return path;
}

TEST(Fcbf, MatchesTheNaiveList) {
  const test::Sample sparse{test::sparse_table(60, 30, /*seed=*/2),
                            test::blobs(60, 1, 15, 0).labels};
  const test::Sample ties{test::integer_table(40, 30, /*seed=*/3), test::blobs(40, 1, 6, 0).labels};
  for (const double delta : {0.0, 0.05, 0.3})
    for (const double width : {0.5, 1.0})
      for (const test::Sample& sample : {test::blobs(300, 40, 90, /*seed=*/1), sparse, ties}) {
        const FcbfOptions options{.delta = delta, .states = {.state_width = width}};
        const SelectionPath expected = naive_path(sample, options);
        for (const test::Storage storage : test::kStorages) {
          const test::StoredSample stored(sample, storage);
          const Ranking ranking = fcbf(stored.problem(), options);
          EXPECT_EQ(ranking.path->features, expected.features);
          EXPECT_EQ(ranking.subset, expected.features);
          test::expect_scores_near(ranking.path->criterion, expected.criterion, 1e-9);
        }
      }
}

TEST(Fcbf, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), test::blobs(240, 40, 75, /*seed=*/3));
}

TEST(Fcbf, HasTheGoldenValues) { test::expect_golden_paths<FcbfOptions>(fcbf); }

TEST(Fcbf, KeepsOneOfSeveralCopies) {
  test::Sample sample = test::blobs(60, 4, 20, /*seed=*/4);
  for (Index i = 0; i < 60; ++i) sample.x(i, 1) = sample.x(i, 2) = -2.0 * sample.x(i, 0);
  const Ranking ranking = fcbf(test::StoredSample(sample).problem());
  EXPECT_EQ(ranking.subset->front(), 0);
  EXPECT_EQ(std::ranges::count(*ranking.subset, 1) + std::ranges::count(*ranking.subset, 2), 0);
}

TEST(Fcbf, BeginsWithTheLargestInformationWhereEntropiesAreEqual) {
  // Columns are permutations of one another, so all have one entropy.
  test::Sample sample{test::Dense(60, 8), test::blobs(60, 1, 20, 0).labels};
  for (Index r = 0; r < 8; ++r)
    for (Index i = 0; i < 60; ++i)
      sample.x(i, r) = static_cast<double>((i * (2 * r + 1) % 61 + r * i % 3) % 60);
  for (Index r = 0; r < 8; ++r) {
    std::vector<std::pair<double, Index>> sorted;
    for (Index i = 0; i < 60; ++i) sorted.emplace_back(sample.x(i, r), i);
    std::ranges::sort(sorted);
    for (Index place = 0; place < 60; ++place)
      sample.x(sorted[place].second, r) = static_cast<double>(place);
  }
  const test::StoredSample stored(sample);
  EXPECT_EQ(fcbf(stored.problem()).path->features.front(),
            information_gain(stored.problem()).order.front());
}

TEST(Fcbf, RanksTheOthersByTheirUncertaintyAndWarnsIfItKeepsNone) {
  const test::Sample sample = test::blobs(90, 10, 30, /*seed=*/5);
  const test::StoredSample stored(sample);
  const Ranking none = fcbf(stored.problem(), {.delta = 1.0});
  EXPECT_TRUE(none.subset->empty() && none.path->features.empty());
  EXPECT_EQ(none.diagnostics.warnings,
            std::vector<std::string>{"fcbf keeps no feature: the symmetric uncertainty of none "
                                     "with the classes exceeds delta = 1"});
  const auto states = test::naive_states(sample, 0.5);
  const auto uncertainty = [&](Index r) {
    return -naive_uncertainty(states[r], test::naive_labels(sample));
  };
  EXPECT_TRUE(std::ranges::is_sorted(none.order, {}, uncertainty));
  EXPECT_TRUE(fcbf(stored.problem()).diagnostics.warnings.empty());
}

TEST(Fcbf, RefusesTooFewClassesConstantColumnsAndOptionsOutOfRange) {
  test::Sample sample = test::blobs(30, 3, 3, /*seed=*/6);
  for (Index& label : sample.labels) label = label == 1 ? 1 : kUnlabeled;
  EXPECT_EQ(message_of<DataError>([&] { fcbf(test::StoredSample(sample).problem()); }),
            "fcbf needs labels of at least two classes, and the 3 labeled rows all belong to one");
  sample = {test::Dense(6, 2), {0, 1, 0, 1, 0, 1}};
  EXPECT_EQ(message_of<DataError>([&] { fcbf(test::StoredSample(sample).problem()); }),
            "fcbf: every column is constant over the labeled rows; label more rows");
  EXPECT_EQ(message_of<InvalidArgument>(
                [&] { fcbf(test::StoredSample(sample).problem(), {.delta = 1.5}); }),
            "fcbf: delta = 1.5 must be in [0, 1]");
}

}  // namespace
}  // namespace tamis
