#include "ensembles/stability.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// In how many of the sets each feature is.
std::vector<double> counts_of(std::span<const std::vector<Index>> sets, Index n_features) {
  std::vector<double> counts(n_features, 0.0);
  for (const std::vector<Index>& set : sets)
    for (const Index feature : set) counts[feature] += 1.0;
  return counts;
}

/// The mean over pairs of (r - k^2/d) / (k - k^2/d), r the features that two sets of k share. The
/// sum of r over pairs needs no loop over them: a feature in c sets is shared by c(c-1)/2 pairs.
double kuncheva(std::span<const double> counts, double n_sets, double size) {
  const auto d = static_cast<double>(counts.size());
  double shared = 0.0;
  for (const double count : counts) shared += count * (count - 1.0) / 2.0;
  const double by_chance = size * size / d;
  return (shared / (n_sets * (n_sets - 1.0) / 2.0) - by_chance) / (size - by_chance);
}

}  // namespace

Stability stability(std::span<const std::vector<Index>> sets, Index n_features) {
  if (sets.size() < 2) throw InvalidArgument("stability compares at least two sets of features");
  const auto n_sets = static_cast<double>(sets.size());
  const auto d = static_cast<double>(n_features);
  const std::vector<double> counts = counts_of(sets, n_features);
  double mean_size = 0.0;
  double variance = 0.0;  // mean over the features of s_f^2 = M/(M-1) p_f (1 - p_f)
  for (const double count : counts) {
    const double share = count / n_sets;
    mean_size += share;
    variance += n_sets / (n_sets - 1.0) * share * (1.0 - share) / d;
  }
  const bool are_equal = std::ranges::all_of(
      sets, [&](const std::vector<Index>& set) { return set.size() == sets[0].size(); });
  Stability result{.sets = std::ssize(sets),
                   .set_size = static_cast<Index>(std::lround(mean_size))};
  const double by_chance = mean_size / d * (1.0 - mean_size / d);
  if (by_chance <= 0.0) {
    result.nogueira = result.nogueira_low = result.nogueira_high = result.kuncheva = 1.0;
    return result;
  }
  result.nogueira = 1.0 - variance / by_chance;
  result.kuncheva = are_equal ? kuncheva(counts, n_sets, mean_size) : kUndefined;

  // Its asymptotic variance is 4/M^2 sum_i (phi_i - mean phi)^2 (their theorem 7).
  std::vector<double> phi;
  double mean_phi = 0.0;
  for (const std::vector<Index>& set : sets) {
    const auto size = static_cast<double>(set.size());
    double shared = 0.0;
    for (const Index feature : set) shared += counts[feature] / n_sets / d;
    phi.push_back((shared - size * mean_size / (d * d) -
                   result.nogueira / 2.0 *
                       (2.0 * mean_size * size / (d * d) - size / d - mean_size / d + 1.0)) /
                  by_chance);
    mean_phi += phi.back() / n_sets;
  }
  double squares = 0.0;
  for (const double value : phi) squares += (value - mean_phi) * (value - mean_phi);
  constexpr double kNormalQuantile = 1.959963984540054;  // 97.5 %
  const double reach = kNormalQuantile * std::sqrt(4.0 / (n_sets * n_sets) * squares);
  result.nogueira_low = result.nogueira - reach;
  result.nogueira_high = std::min(1.0, result.nogueira + reach);
  return result;
}

}  // namespace tamis
