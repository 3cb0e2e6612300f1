#include "evaluation/paired_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "core/ties.hpp"
#include "evaluation/tied_ranks.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr Index kExactPairs = 50;
constexpr Index kExactTiedPairs = 13;

std::vector<double> differences(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size() || a.size() < 2)
    throw InvalidArgument(
        fmt::format("a paired test needs two lists of one length, at least 2, not {} and {}",
                    a.size(), b.size()));
  std::vector<double> result(a.size());
  for (std::size_t s = 0; s < a.size(); ++s) {
    result[s] = are_tied(a[s], b[s]) ? 0.0 : a[s] - b[s];  // means of equal values may round apart
    if (std::isnan(result[s]))
      throw DataError(fmt::format("pair {} ({}, {}) has no difference", s, a[s], b[s]));
  }
  return result;
}

/// P(sum of the ranks with a positive sign <= sum), every sign being as likely: the number of
/// subsets by their sum. Ranks are multiples of 1/2, so sums of 2 rank are counted. Counts of at
/// most 2^50 subsets are exact.
double exact_lower_tail(std::span<const double> ranks, double sum) {
  const double total = 2.0 * std::accumulate(ranks.begin(), ranks.end(), 0.0);
  std::vector<double> subsets(static_cast<std::size_t>(std::llround(total)) + 1, 0.0);
  subsets[0] = 1.0;
  Index reached = 0;
  for (const double rank : ranks) {
    const Index step = std::llround(2.0 * rank);
    reached += step;
    for (Index s = reached; s >= step; --s) subsets[s] += subsets[s - step];
  }
  const auto end = subsets.begin() + std::llround(2.0 * sum) + 1;
  return std::ldexp(std::accumulate(subsets.begin(), end, 0.0), -static_cast<int>(ranks.size()));
}

double normal_tails(const TiedRanks& ranked, double smaller_sum) {
  const auto n = static_cast<double>(ranked.ranks.size());
  const double mean = n * (n + 1.0) / 4.0;
  const double variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ranked.tie_sum / 2.0) / 24.0;
  return std::erfc((mean - smaller_sum) / std::sqrt(2.0 * variance));
}

Index sign_of(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

struct MeanWithError {
  double mean;
  double error;
  double degrees;  ///< of freedom
};

/// Equal differences have no error, to the bit.
MeanWithError mean_with_error(const std::vector<double>& d, double overlap) {
  const auto n = static_cast<double>(d.size());
  if (std::ranges::all_of(d, [&](double value) { return value == d[0]; }))
    return {.mean = d[0], .error = 0.0, .degrees = n - 1.0};
  const double mean = std::accumulate(d.begin(), d.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : d) squares += (value - mean) * (value - mean);
  return {.mean = mean,
          .error = std::sqrt(squares / (n - 1.0) * (1.0 / n + overlap)),
          .degrees = n - 1.0};
}

/// Column j of a table with `width` columns.
std::vector<double> column(std::span<const double> table, Index width, Index j) {
  std::vector<double> values;
  for (Index s = j; s < std::ssize(table); s += width) values.push_back(table[s]);
  return values;
}

/// Adds what one data set says to the matrix.
void count_data_set(std::span<const double> scores, Index n_methods, double level,
                    PairedTestKind kind, Better better, double overlap,
                    std::vector<WinTieLoss>& counts) {
  if (std::ssize(scores) % n_methods != 0)
    throw InvalidArgument(
        fmt::format("{} scores are no table of {} methods", scores.size(), n_methods));
  const auto test = [&](std::span<const double> a, std::span<const double> b) {
    return kind == PairedTestKind::t ? paired_t_test(a, b, overlap) : wilcoxon_signed_rank(a, b);
  };
  for (Index i = 0; i < n_methods; ++i)
    for (Index j = 0; j < n_methods; ++j) {
      if (i == j) continue;
      const PairedTest outcome = test(column(scores, n_methods, i), column(scores, n_methods, j));
      const Index sign = better == Better::higher ? outcome.sign : -outcome.sign;
      WinTieLoss& entry = counts[i * n_methods + j];
      ++(outcome.p_value > level ? entry.ties : sign > 0 ? entry.wins : entry.losses);
    }
}

}  // namespace

PairedTest paired_t_test(std::span<const double> a, std::span<const double> b, double overlap) {
  const auto [mean, error, degrees] = mean_with_error(differences(a, b), overlap);
  if (mean == 0.0) return {};
  const double t = mean / error;  // infinite if all differences are equal
  const boost::math::students_t_distribution<> student(degrees);
  return {.statistic = t,
          .p_value = std::isinf(t) ? 0.0 : 2.0 * cdf(complement(student, std::abs(t))),
          .sign = sign_of(t)};
}

MeanDifference mean_difference(std::span<const double> a, std::span<const double> b,
                               double overlap) {
  constexpr double kTail = 0.025;
  const auto [mean, error, degrees] = mean_with_error(differences(a, b), overlap);
  const boost::math::students_t_distribution<> student(degrees);
  const double reach = error * quantile(complement(student, kTail));
  return {.mean = mean, .low = mean - reach, .high = mean + reach};
}

PairedTest wilcoxon_signed_rank(std::span<const double> a, std::span<const double> b) {
  std::vector<double> d = differences(a, b);
  const Index pairs = std::ssize(d);
  std::erase(d, 0.0);
  if (d.empty()) return {};
  std::vector<double> sizes(d.size());
  std::ranges::transform(d, sizes.begin(), [](double value) { return std::abs(value); });
  const TiedRanks ranked = rank_with_ties(sizes);
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t s = 0; s < d.size(); ++s) (d[s] > 0.0 ? positive : negative) += ranked.ranks[s];
  const double smaller = std::min(positive, negative);
  const bool has_ties = ranked.tie_sum > 0.0 || std::ssize(d) < pairs;
  const bool is_exact = pairs <= (has_ties ? kExactTiedPairs : kExactPairs);
  const double tails =
      is_exact ? 2.0 * exact_lower_tail(ranked.ranks, smaller) : normal_tails(ranked, smaller);
  return {
      .statistic = smaller, .p_value = std::min(1.0, tails), .sign = sign_of(positive - negative)};
}

std::vector<WinTieLoss> win_tie_loss(std::span<const std::vector<double>> data_sets,
                                     Index n_methods, double level, PairedTestKind kind,
                                     Better better, double overlap) {
  if (n_methods < 2)
    throw InvalidArgument(
        fmt::format("a comparison of methods needs at least 2 of them, not {}", n_methods));
  std::vector<WinTieLoss> counts(n_methods * n_methods);
  for (const std::vector<double>& scores : data_sets)
    count_data_set(scores, n_methods, level, kind, better, overlap, counts);
  return counts;
}

SignTest sign_test(const WinTieLoss& counts) {
  if (std::min({counts.wins, counts.ties, counts.losses}) < 0)
    throw InvalidArgument("wins, ties and losses cannot be negative");
  SignTest test{.wins = counts.wins + counts.ties / 2};
  test.comparisons = test.wins + counts.losses + counts.ties / 2;
  if (test.comparisons == 0) return test;
  const boost::math::binomial_distribution<> coin(static_cast<double>(test.comparisons), 0.5);
  const auto at_least_as_many = [&](Index wins) {
    return wins == 0 ? 1.0 : cdf(complement(coin, static_cast<double>(wins - 1)));
  };
  test.p_better = at_least_as_many(test.wins);
  test.p_value =
      std::min(1.0, 2.0 * at_least_as_many(std::max(test.wins, test.comparisons - test.wins)));
  return test;
}

Index critical_wins(Index comparisons, double level) {
  Index wins = comparisons + 1;
  while (wins > 0 &&
         sign_test({.wins = wins - 1, .losses = comparisons - wins + 1}).p_better <= level)
    --wins;
  return wins;
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  for (const double p : p_values)
    if (!(p >= 0.0 && p <= 1.0))
      throw InvalidArgument(fmt::format("{} is no p-value: it is not in [0, 1]", p));
  std::vector<Index> order(p_values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index i, Index j) { return p_values[i] < p_values[j]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0.0;
  for (Index s = 0; s < std::ssize(order); ++s) {
    const auto rest = static_cast<double>(std::ssize(order) - s);
    largest = std::max(largest, std::min(1.0, rest * p_values[order[s]]));
    adjusted[order[s]] = largest;
  }
  return adjusted;
}

}  // namespace tamis
