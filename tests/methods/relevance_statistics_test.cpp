#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "core/random.hpp"
#include "support/sample.hpp"
#include "support/wave_sample.hpp"
#include "tamis/methods/ridge_omp.hpp"

/// What is promised of chance, over many tables with fixed seeds. The tests with more of them run
/// with --gtest_also_run_disabled_tests.
namespace tamis {
namespace {

constexpr Index kAllRows = 1'000'000;

/// Row i is of class i % 3; the first `per_class` rows of each have their label.
std::vector<Index> three_classes(Index rows, Index per_class) {
  std::vector<Index> labels(rows, kUnlabeled);
  for (Index i = 0; i < std::min(rows, 3 * per_class); ++i) labels[i] = i % 3;
  return labels;
}

Ranking rank(const test::Sample& sample, std::uint64_t seed) {
  const test::StoredSample stored(sample);
  return ridge_omp(stored.problem(), {}, {.seed = seed});
}

/// How many tables of noise have something relevant, or backed: where nothing is, a level of 0.1
/// lets one in ten tables through, so 20 tables tell little. Their 40,000 p tell more.
void expect_noise_is_seen_as_such(Index tables, Index per_class) {
  Index relevant = 0;
  Index backed = 0;
  double below_a_hundredth = 0.0;
  double below_a_thousandth = 0.0;
  for (Index t = 0; t < tables; ++t) {
    const auto seed = static_cast<std::uint64_t>(t);
    const Ranking ranking =
        rank({test::random_table(100, 2000, seed), three_classes(100, per_class)}, seed);
    relevant += ranking.relevance->n_relevant > 0 ? 1 : 0;
    backed += ranking.relevance->n_backed > 0 ? 1 : 0;
    for (const double p : ranking.relevance->p) {
      below_a_hundredth += p <= 0.01 ? 1.0 : 0.0;
      below_a_thousandth += p <= 0.001 ? 1.0 : 0.0;
    }
  }
  const double judged = 2000.0 * static_cast<double>(tables);
  std::cout << "noise, labels per class " << per_class << ": of " << tables << " tables "
            << relevant << " have something relevant, " << backed << " backed; of all p "
            << below_a_hundredth / judged << " are up to 0.01, " << below_a_thousandth / judged
            << " up to 0.001\n";
  const auto most = static_cast<Index>(0.15 * static_cast<double>(tables));
  EXPECT_LE(relevant, most);
  EXPECT_LE(backed, most);
  EXPECT_LE(below_a_hundredth / judged, 0.0115);
  EXPECT_GE(below_a_hundredth / judged, 0.008);
  EXPECT_LE(below_a_thousandth / judged, 0.0015);
}

TEST(RelevanceStatistics, SeeNoiseAsSuch) {
  expect_noise_is_seen_as_such(20, kAllRows);
  expect_noise_is_seen_as_such(20, 3);
}

TEST(RelevanceStatistics, DISABLED_SeeNoiseAsSuchInAHundredTables) {
  for (const Index per_class : {kAllRows, Index{3}, Index{0}})
    expect_noise_is_seen_as_such(100, per_class);
}

/// 200 x 2000 normal numbers; the first columns have class means, N(0, 1), centred, of root mean
/// square 1.
test::Sample blobs_in_noise(Index relevant, Index per_class, std::uint64_t seed) {
  test::Sample sample{test::random_table(200, 2000, seed), three_classes(200, per_class)};
  RandomStream random(seed, /*stream=*/1);
  for (Index r = 0; r < relevant; ++r) {
    double means[3] = {random.normal(), random.normal(), random.normal()};
    const double mean = (means[0] + means[1] + means[2]) / 3.0;
    double squares = 0.0;
    for (double& value : means) {
      value -= mean;
      squares += value * value / 3.0;
    }
    for (Index i = 0; i < 200; ++i)
      sample.x(i, r) += static_cast<float>(means[i % 3] / std::sqrt(squares));
  }
  return sample;
}

struct Rates {
  double false_relevant = 0.0;
  double power = 0.0;
  double false_backed = 0.0;
};

Rates rates_of_blobs(Index relevant, Index per_class, Index tables) {
  Rates rates;
  for (Index t = 0; t < tables; ++t) {
    const auto seed = static_cast<std::uint64_t>(t);
    const Relevance judged = *rank(blobs_in_noise(relevant, per_class, seed), seed).relevance;
    double found = 0.0, backed_falsely = 0.0;
    for (Index r = 0; r < 2000; ++r) {
      found += r < relevant && judged.q[r] <= judged.fdr ? 1.0 : 0.0;
      backed_falsely += r >= relevant && judged.part[r] == Part::backed ? 1.0 : 0.0;
    }
    const auto share = [&](double count, Index of) {
      return count / static_cast<double>(std::max<Index>(1, of) * tables);
    };
    rates.false_relevant +=
        share(static_cast<double>(judged.n_relevant) - found, judged.n_relevant);
    rates.power += share(found, relevant);
    rates.false_backed += share(backed_falsely, judged.n_backed);
  }
  std::cout << "blobs, " << relevant << " relevant, labels per class " << per_class << ": FDR "
            << rates.false_relevant << ", power " << rates.power << ", FDR of backed "
            << rates.false_backed << '\n';
  return rates;
}

void expect_rates_of_blobs(Index tables) {
  struct Case {
    Index relevant;
    Index per_class;
    double power;
  };
  for (const Case& each : {Case{5, kAllRows, 0.99}, {20, 3, 0.55}, {100, 3, 0.97}}) {
    const Rates rates = rates_of_blobs(each.relevant, each.per_class, tables);
    EXPECT_LE(rates.false_relevant, 0.12);
    EXPECT_GE(rates.power, each.power);
    EXPECT_LE(rates.false_backed, 0.06);
  }
}

TEST(RelevanceStatistics, KeepFalseDiscoveriesFewAndMissLittle) { expect_rates_of_blobs(6); }

TEST(RelevanceStatistics, DISABLED_KeepFalseDiscoveriesFewAndMissLittleInManyTables) {
  expect_rates_of_blobs(40);
}

TEST(RelevanceStatistics, FindWavesFromThreeLabelsPerClass) {
  const Index tables = 8;
  double right = 0.0;
  double chosen_among_all = 0.0;
  for (Index t = 0; t < tables; ++t) {
    const auto seed = static_cast<std::uint64_t>(t);
    const test::StoredSample stored(test::wave_sample(1000, 3, seed));
    const auto among_the_first = [&](const RidgeOmpOptions& options) {
      const Ranking ranking = ridge_omp(stored.problem(), options, {.seed = seed});
      const auto is_right = [](Index column) { return 1 <= column && column <= 19; };
      return static_cast<double>(
          std::count_if(ranking.order.begin(), ranking.order.begin() + 19, is_right));
    };
    right += among_the_first({}) / static_cast<double>(tables);
    chosen_among_all += among_the_first({.relevance = {.fdr = 1.0}}) / static_cast<double>(tables);
  }
  std::cout << "waves: " << right << " of the first 19 are right, without judging "
            << chosen_among_all << '\n';
  EXPECT_GE(right, 16.0);
  EXPECT_LT(chosen_among_all, right);
}

}  // namespace
}  // namespace tamis
