#include "clustering/weighted/dispersion_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/message_of.hpp"
#include "support/naive_weighted_kmeans.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::vector<double> weights_of(const std::vector<double>& dispersion, double beta) {
  std::vector<double> logs;
  for (const double value : dispersion) logs.push_back(value > 0.0 ? std::log(value) : -HUGE_VAL);
  return dispersion_weights(logs, beta);
}

TEST(DispersionWeights, EqualTheFormulaOfRatios) {
  RandomStream random(/*seed=*/1);
  for (const double beta : {-3.0, -0.1, 1.5, 2.0, 8.0}) {
    std::vector<double> dispersion;
    for (int j = 0; j < 12; ++j) dispersion.push_back(std::exp(2.0 * random.normal()));
    dispersion[3] = 0.0;
    const std::vector<double> weights = weights_of(dispersion, beta);
    const std::vector<double> naive = test::naive_weights(dispersion, beta);
    for (int j = 0; j < 12; ++j) EXPECT_NEAR(weights[j], naive[j], 1e-13);
  }
}

TEST(DispersionWeights, SumToOneOverTwelveDecadesAndFarBeyond) {
  for (const double decades : {12.0, 300.0, 3000.0})
    for (const double beta : {-5.0, -0.1, 1.01, 2.0}) {
      std::vector<double> logs;
      for (int j = 0; j < 100; ++j) logs.push_back(decades * std::log(10.0) * (j / 99.0 - 0.5));
      const std::vector<double> weights = dispersion_weights(logs, beta);
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-12);
      EXPECT_EQ(std::ranges::is_sorted(weights), beta < 0.0);
    }
}

TEST(DispersionWeights, GiveNothingToAFeatureWithoutDispersion) {
  const std::vector<double> weights = weights_of({1.0, 0.0, 1.0}, 2.0);
  EXPECT_EQ(weights, (std::vector<double>{0.5, 0.0, 0.5}));
}

TEST(DispersionWeights, AreUniformWithoutAnyDispersion) {
  EXPECT_EQ(weights_of({0.0, 0.0, 0.0, 0.0}, -0.1), std::vector<double>(4, 0.25));
}

TEST(DispersionWeights, MinimiseTheWeightedSum) {
  RandomStream random(/*seed=*/2);
  const std::vector<double> dispersion{0.3, 2.0, 11.0, 0.9};
  for (const double beta : {-2.0, -0.1, 1.5, 3.0}) {
    const auto objective = [&](const std::vector<double>& weights) {
      double sum = 0.0;
      for (int j = 0; j < 4; ++j) sum += std::pow(weights[j], beta) * dispersion[j];
      return sum;
    };
    const double least = objective(weights_of(dispersion, beta));
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> other;
      for (int j = 0; j < 4; ++j) other.push_back(0.01 + random.uniform());
      const double total = std::accumulate(other.begin(), other.end(), 0.0);
      for (double& weight : other) weight /= total;
      EXPECT_GE(objective(other), least);
    }
  }
}

TEST(DistanceWeight, OfNoWeightIsNothingWhateverBeta) {
  EXPECT_EQ(distance_weight(0.0, -0.1), 0.0);
  EXPECT_EQ(distance_weight(0.0, 2.0), 0.0);
  EXPECT_EQ(distance_weight(0.25, -2.0), 16.0);
  EXPECT_EQ(log_distance_weight(0.0, -0.1), -HUGE_VAL);
}

TEST(CheckBeta, RefusesFromZeroToOneWithTheReason) {
  for (const double beta : {0.0, 0.3, 1.0})
    EXPECT_NE(message_of<InvalidArgument>([&] {
                check_beta("wckm", beta);
              }).find("must be < 0 or > 1: at 0 weights change no distance"),
              std::string::npos);
  EXPECT_EQ(message_of<InvalidArgument>([&] { check_beta("wckm", 0.5); }),
            "wckm: beta = 0.5 must be < 0 or > 1: at 0 weights change no distance, at 1 one "
            "feature takes all the weight, and between them the weights make the objective as "
            "large as it can be");
  EXPECT_NO_THROW(check_beta("wckm", -1e-9));
  EXPECT_NO_THROW(check_beta("wckm", 1.0 + 1e-9));
  EXPECT_THROW(check_beta("wckm", std::nan("")), InvalidArgument);
}

TEST(FewFeaturesWarning, CountsThoseThatCarryNearlyAllWeight) {
  std::vector<double> weights(50, 0.001 / 47.0);
  weights[4] = weights[9] = weights[20] = 0.333;
  EXPECT_EQ(few_features_warning("wckm", weights, 1.05),
            "wckm: 3 of 50 features carry 99 % of the weight; with beta = 1.05 the others hardly "
            "count: scale the columns, or choose a beta farther from 1");
  EXPECT_EQ(few_features_warning("wckm", std::vector<double>(50, 0.02), 1.05), "");
  EXPECT_EQ(few_features_warning("wckm", std::vector<double>(4, 0.25), 1.05), "");
}

}  // namespace
}  // namespace tamis
