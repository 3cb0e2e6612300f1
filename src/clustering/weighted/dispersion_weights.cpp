#include "clustering/weighted/dispersion_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tamis/core/error.hpp"

namespace tamis {

void check_beta(std::string_view method, double beta) {
  if (beta < 0.0 || beta > 1.0) return;
  throw InvalidArgument(fmt::format(
      "{}: beta = {} must be < 0 or > 1: at 0 weights change no distance, at 1 one feature takes "
      "all the weight, and between them the weights make the objective as large as it can be",
      method, beta));
}

std::vector<double> dispersion_weights(std::span<const double> log_dispersions, double beta) {
  const double power = -1.0 / (beta - 1.0);
  double greatest = -HUGE_VAL;
  for (const double log_dispersion : log_dispersions)
    if (log_dispersion != -HUGE_VAL) greatest = std::max(greatest, power * log_dispersion);
  if (greatest == -HUGE_VAL)
    return std::vector<double>(log_dispersions.size(),
                               1.0 / static_cast<double>(log_dispersions.size()));
  std::vector<double> weights;
  for (const double log_dispersion : log_dispersions)
    weights.push_back(log_dispersion == -HUGE_VAL ? 0.0
                                                  : std::exp(power * log_dispersion - greatest));
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

double distance_weight(double weight, double beta) {
  return weight > 0.0 ? std::pow(weight, beta) : 0.0;
}

double log_distance_weight(double weight, double beta) {
  return weight > 0.0 ? beta * std::log(weight) : -HUGE_VAL;
}

std::string few_features_warning(std::string_view method, std::span<const double> weights,
                                 double beta) {
  constexpr Index kFew = 10;
  constexpr double kNearlyAll = 0.99;
  std::vector<double> sorted(weights.begin(), weights.end());
  std::ranges::sort(sorted, std::greater{});
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  const Index positive = std::ssize(sorted) - std::ranges::count(sorted, 0.0);
  Index carriers = 0;
  for (double sum = 0.0; carriers < std::ssize(sorted) && sum < kNearlyAll * total; ++carriers)
    sum += sorted[carriers];
  if (carriers >= std::min(kFew, (positive + 1) / 2)) return "";
  return fmt::format(
      "{}: {} of {} features carry 99 % of the weight; with beta = {} the others hardly count: "
      "scale the columns, or choose a beta farther from 1",
      method, carriers, std::ssize(weights), beta);
}

}  // namespace tamis
