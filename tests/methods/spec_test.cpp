#include "tamis/methods/spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/golden.hpp"
#include "support/message_of.hpp"
#include "support/method_properties.hpp"
#include "support/naive.hpp"
#include "support/naive_algebra.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/fisher_score.hpp"
#include "tamis/methods/laplacian_score.hpp"

namespace tamis {
namespace {

test::Rank method(SpecOptions options = {}) {
  return [options](const Problem& problem) { return spec(problem, options); };
}

/// The definition word for word: all eigenpairs of the normalised Laplacian, the one of D^1/2 1
/// made the first of those with eigenvalue 0.
std::vector<double> naive(const test::Sample& sample, const test::RowMatrix& weights, Index phi,
                          double power, Index n_eigenpairs) {
  const Index n = weights.n;
  const std::vector<double> degrees = naive_degrees(weights);
  std::vector<double> first;
  for (const double degree : degrees) first.push_back(std::sqrt(degree));
  const double length = std::sqrt(test::naive_dot(first, first));
  for (double& value : first) value /= length;
  test::Columns laplacian(n, std::vector<double>(n, 0.0));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (i == j && degrees[i] > 0.0) laplacian[i][i] = 1.0;
      if (weights(i, j) > 0.0)
        laplacian[i][j] -= weights(i, j) / std::sqrt(degrees[i] * degrees[j]);
      laplacian[i][j] -= 10.0 * first[i] * first[j];  // D^1/2 1 is the smallest by far
    }
  test::NaiveEigenpairs pairs = test::naive_eigenpairs(laplacian);
  std::ranges::reverse(pairs.values);
  std::ranges::reverse(pairs.vectors);
  pairs.values[0] = 0.0;
  return naive_scores(sample.x, [&](Index r) {
    std::vector<double> f;
    for (Index i = 0; i < n; ++i) f.push_back(std::sqrt(degrees[i]) * sample.x(i, r));
    const double norm = std::sqrt(test::naive_dot(f, f));
    double rough = 0.0;
    double smooth = 0.0;
    for (Index j = 0; j < n; ++j) {
      const double alpha = test::naive_dot(pairs.vectors[j], f) / norm;
      const double gamma = std::pow(std::max(0.0, pairs.values[j]), power);
      rough += gamma * alpha * alpha;
      if (j > 0 && pairs.values[j] <= pairs.values[n_eigenpairs - 1] + 1e-9)
        smooth += (std::pow(2.0, power) - gamma) * alpha * alpha;
    }
    const double alpha = test::naive_dot(pairs.vectors[0], f) / norm;
    return phi == 3 ? smooth : (phi == 1 ? rough : rough / (1.0 - alpha * alpha));
  });
}

test::RowMatrix heat_graph(const test::Dense& x, Index k, bool mutual = false) {
  const test::RowMatrix squared = naive_squared_distances(x);
  return naive_heat_weights(squared, naive_neighbors(squared, k, test::naive_all(x.rows), mutual),
                            naive_mean_distance(squared));
}

TEST(Spec, MatchesTheDefinitionByEigenpairs) {
  for (const test::Sample& sample : {test::Sample{test::random_table(40, 19, /*seed=*/1)},
                                     test::Sample{test::sparse_table(35, 6, /*seed=*/2)},
                                     test::Sample{test::integer_table(30, 5, /*seed=*/3)}})
    for (const bool mutual : {false, true}) {  // mutual: pieces, and rows without edges
      const test::RowMatrix weights = heat_graph(sample.x, 4, mutual);
      const GraphOptions graph{.n_neighbors = 4,
                               .symmetry = mutual ? Symmetry::mutual : Symmetry::either};
      for (const Index phi : {1, 2, 3})
        for (const Index power : {1, 2, 3, 4, 5})
          test::expect_matches(
              method({.phi = phi, .power = power, .graph = graph}), sample,
              naive(sample, weights, phi, static_cast<double>(power), sample.x.rows));
      for (const Index k : {2, 5, 12, 29})
        test::expect_matches(method({.phi = 3, .power = 2, .n_eigenpairs = k, .graph = graph}),
                             sample, naive(sample, weights, 3, 2.0, k));
    }
}

TEST(Spec, TakesPowerFourForPhiTwoAndOneForTheOthers) {
  const test::StoredSample stored({test::random_table(30, 5, /*seed=*/4)});
  for (const Index phi : {1, 2, 3})
    EXPECT_EQ(spec(stored.problem(), {.phi = phi}).scores,
              spec(stored.problem(), {.phi = phi, .power = phi == 2 ? 4 : 1}).scores);
}

TEST(Spec, HasThePropertiesOfAMethod) {
  test::expect_method_properties(method(), {test::random_table(70, 40, /*seed=*/5)});
  test::expect_method_properties(method({.phi = 3, .n_eigenpairs = 6}),
                                 {test::random_table(330, 20, /*seed=*/6)});
  test::expect_method_properties(method({.similarity = SpecSimilarity::classes}),
                                 test::blobs(60, 10, 6, /*seed=*/7));
}

TEST(Spec, HasTheGoldenValues) { test::expect_golden<SpecOptions>(spec); }

TEST(Spec, IsTheLaplacianScoreForPhiTwoAndPowerOne) {
  for (const GraphOptions& graph :
       {GraphOptions{}, GraphOptions{.n_neighbors = 3, .kernel = Kernel::binary},
        GraphOptions{.n_neighbors = 2, .symmetry = Symmetry::mutual, .bandwidth = 0.1}})
    for (const test::Sample& sample : {test::Sample{test::random_table(80, 20, /*seed=*/8)},
                                       test::Sample{test::integer_table(60, 9, /*seed=*/9)}}) {
      const test::StoredSample stored(sample);
      test::expect_matches(method({.power = 1, .graph = graph}), sample,
                           laplacian_score(stored.problem(), {.graph = graph}).scores);
    }
}

TEST(Spec, HasTheKnownValuesOfFiveRows) {
  test::Sample five{test::Dense(5, 2)};
  five.x.values = {1.0, 0.0, 0.0, 4.0, 1.0, 6.0, 1.5, 10.0, 3.0, 5.0};
  const auto graph = [](Index k) {
    return GraphOptions{.n_neighbors = k, .kernel = Kernel::binary};
  };
  test::expect_matches(method({.power = 1, .graph = graph(2)}), five, {301.0 / 237.0, 44.0 / 53.0});
  // A complete graph has one eigenvalue besides 0: n / (n - 1).
  test::expect_matches(method({.power = 3, .graph = graph(4)}), five, {1.953125, 1.953125});
}

TEST(Spec, OfClassesIsOneOverOnePlusFisherForEveryPower) {
  test::Sample six{test::Dense(6, 3), {0, 0, 0, 1, 1, 1}};
  six.x.values = {0, 5, 1, 1, 3, 2, 3, 4, 0, 6, 4, 2, 7, 6, 1, 9, 2, 3};
  for (const Index power : {1, 4, 7}) {
    const SpecOptions options{.power = power, .similarity = SpecSimilarity::classes};
    test::expect_matches(method(options), six, {14.0 / 95.0, 1.0, 8.0 / 11.0});
    const test::Sample sample = test::blobs(40, 8, 5, /*seed=*/10);
    std::vector<double> expected = fisher_score(test::StoredSample(sample).problem()).scores;
    for (double& score : expected) score = 1.0 / (1.0 + score);
    test::expect_matches(method(options), sample, expected);
  }
}

TEST(Spec, OfClassesAndPhiThreeIsTheRestOfCenteredColumns) {
  test::Sample sample = test::blobs(30, 6, 10, /*seed=*/11);
  for (Index r = 0; r < 6; ++r) {
    double mean = 0.0;
    for (Index i = 0; i < 30; ++i) mean += sample.x(i, r) / 30.0;
    for (Index i = 0; i < 30; ++i) sample.x(i, r) -= mean;
  }
  const test::StoredSample stored(sample);
  const auto scores = [&](Index phi, std::optional<Index> n_eigenpairs) {
    return spec(stored.problem(), {.phi = phi,
                                   .power = 3,
                                   .n_eigenpairs = n_eigenpairs,
                                   .similarity = SpecSimilarity::classes})
        .scores;
  };
  std::vector<double> all = scores(2, std::nullopt);
  std::vector<double> zeros = all;
  for (double& score : all) score = 8.0 - score;
  for (double& score : zeros) score = 8.0 * (1.0 - score);  // eigenvalue 0, once for each class
  test::expect_scores_near(scores(3, std::nullopt), all, 1e-12);
  test::expect_scores_near(scores(3, 4), all, 1e-12);
  test::expect_scores_near(scores(3, 3), zeros, 1e-12);
  test::expect_scores_near(scores(3, 2), zeros, 1e-12);
}

TEST(Spec, OfClassesIsThatOfTheirGraph) {
  const test::Sample sample = test::blobs(21, 5, 7, /*seed=*/12);
  test::RowMatrix weights(21);
  for (Index i = 0; i < 21; ++i)
    for (Index j = 0; j < 21; ++j)
      if (i % 3 == j % 3) weights(i, j) = 1.0 / 7.0;
  for (const Index phi : {1, 2, 3})
    for (const Index k : {2, 3, 4, 21})
      test::expect_matches(
          method(
              {.phi = phi, .power = 2, .n_eigenpairs = k, .similarity = SpecSimilarity::classes}),
          sample, naive(sample, weights, phi, 2.0, k));
}

TEST(Spec, LeavesColumnsUndefinedThatAreLittleMoreThanTheirMean) {
  test::Sample sample{test::random_table(40, 3, /*seed=*/13)};
  for (Index i = 0; i < 40; ++i) sample.x(i, 1) = 1e7 + 0.1 * sample.x(i, 1);
  const Ranking ranking = spec(test::StoredSample(sample).problem());
  EXPECT_EQ(ranking.diagnostics.undefined, std::vector<Index>{1});
}

TEST(Spec, TakesColumnsOfAnyUnit) {
  const test::Sample sample{test::random_table(40, 3, /*seed=*/14)};
  for (const SpecOptions& options : {SpecOptions{}, SpecOptions{.phi = 1}, SpecOptions{.phi = 3}}) {
    const std::vector<double> scores = spec(test::StoredSample(sample).problem(), options).scores;
    test::Sample large = sample;
    for (double& value : large.x.values) value *= 0x1p490;
    test::Sample small = sample;
    for (double& value : small.x.values) value *= 0x1p-490;
    for (const test::Sample& other : {large, small})
      test::expect_scores_near(spec(test::StoredSample(other).problem(), options).scores, scores,
                               1e-9);
  }
}

TEST(Spec, SaysThatEigenpairsCountForPhiThreeOnly) {
  const test::StoredSample stored({test::random_table(30, 4, /*seed=*/15)});
  EXPECT_EQ(
      spec(stored.problem(), {.n_eigenpairs = 5}).diagnostics.warnings,
      std::vector<std::string>{"n_eigenpairs = 5 changes nothing: phi 2 looks at all eigenpairs"});
  EXPECT_TRUE(spec(stored.problem(), {.phi = 3, .n_eigenpairs = 5}).diagnostics.warnings.empty());
}

TEST(Spec, RefusesWhatItCannotDo) {
  const test::StoredSample constant({test::Dense(5, 2)});
  EXPECT_EQ(message_of<DataError>([&] { spec(constant.problem()); }),
            "spec: every column of the table is constant, so there is nothing to rank");
  test::Sample sample = test::blobs(12, 3, 2, /*seed=*/16);
  const auto by_classes = [&] {
    return message_of<DataError>([&] {
      spec(test::StoredSample(sample).problem(), {.similarity = SpecSimilarity::classes});
    });
  };
  for (Index i = 0; i < 6; ++i)
    for (Index r = 0; r < 3; ++r) sample.x(i, r) = 0.1;
  EXPECT_EQ(by_classes(), "spec: every column is constant over the labeled rows; label more rows");
  for (Index& label : sample.labels) label = label == 0 ? 0 : kUnlabeled;
  EXPECT_EQ(by_classes(),
            "spec needs labels of at least two classes, and the 2 labeled rows all belong to one");
  sample.labels.clear();
  EXPECT_EQ(by_classes(), "spec needs labels, and no row has one");
  for (const SpecOptions& options :
       {SpecOptions{.phi = 4}, SpecOptions{.power = 0}, SpecOptions{.n_eigenpairs = 1}})
    EXPECT_THROW(spec(test::StoredSample(sample).problem(), options), InvalidArgument);
}

}  // namespace
}  // namespace tamis
