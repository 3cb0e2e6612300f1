#include "evaluation/friedman.hpp"

#include <fmt/format.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <numbers>

#include "evaluation/studentized_range.hpp"
#include "evaluation/tied_ranks.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void check_sizes(Index n_methods, Index n_data_sets) {
  if (n_methods < 2)
    throw InvalidArgument(
        fmt::format("a comparison of methods needs at least 2 of them, not {}", n_methods));
  if (n_data_sets < 2)
    throw InvalidArgument(
        fmt::format("a comparison of methods needs at least 2 data sets, not {}", n_data_sets));
}

void check_scores(std::span<const double> scores, Index n_methods) {
  if (n_methods > 0 && std::ssize(scores) % n_methods != 0)
    throw InvalidArgument(
        fmt::format("{} scores are no table of {} methods", scores.size(), n_methods));
  check_sizes(n_methods, n_methods > 0 ? std::ssize(scores) / n_methods : 0);
  for (Index s = 0; s < std::ssize(scores); ++s)
    if (std::isnan(scores[s]))
      throw DataError(
          fmt::format("method {} has no score on data set {}: leave one of them out of the "
                      "comparison",
                      s % n_methods, s / n_methods));
}

/// Fills in the statistics and their tails, given average ranks and the share of ties.
void judge(FriedmanTest& test, double tie_sum) {
  const auto k = static_cast<double>(test.average_ranks.size());
  const auto n = static_cast<double>(test.data_sets);
  const double untied = 1.0 - tie_sum / (k * (k * k - 1.0) * n);
  if (untied <= 0.0) return;
  double spread = 0.0;
  for (const double rank : test.average_ranks) spread += std::pow(rank - (k + 1.0) / 2.0, 2);
  test.chi_square = 12.0 * n / (k * (k + 1.0)) * spread / untied;
  test.chi_square_p =
      cdf(complement(boost::math::chi_squared_distribution<>(k - 1.0), test.chi_square));
  const double rest = n * (k - 1.0) - test.chi_square;
  // Where all data sets agree, rounding decides whether nothing or a trifle is left.
  const bool all_agree = rest <= 1e-12 * n * k;
  test.f = all_agree ? HUGE_VAL : (n - 1.0) * test.chi_square / rest;
  const boost::math::fisher_f_distribution<> f(k - 1.0, (k - 1.0) * (n - 1.0));
  test.f_p = all_agree ? 0.0 : cdf(complement(f, test.f));
}

double rank_deviation(Index n_methods, Index n_data_sets) {
  check_sizes(n_methods, n_data_sets);
  const auto k = static_cast<double>(n_methods);
  return std::sqrt(k * (k + 1.0) / (6.0 * static_cast<double>(n_data_sets)));
}

}  // namespace

FriedmanTest friedman_test(std::span<const double> scores, Index n_methods, Better better) {
  check_scores(scores, n_methods);
  FriedmanTest test{.average_ranks = std::vector<double>(n_methods, 0.0),
                    .data_sets = std::ssize(scores) / n_methods};
  const double sign = better == Better::higher ? -1.0 : 1.0;
  double tie_sum = 0.0;
  std::vector<double> row(n_methods);
  for (Index d = 0; d < test.data_sets; ++d) {
    for (Index j = 0; j < n_methods; ++j) row[j] = sign * scores[d * n_methods + j];
    const TiedRanks ranked = rank_with_ties(row);
    tie_sum += ranked.tie_sum;
    for (Index j = 0; j < n_methods; ++j) test.average_ranks[j] += ranked.ranks[j];
  }
  for (double& rank : test.average_ranks) rank /= static_cast<double>(test.data_sets);
  judge(test, tie_sum);
  test.critical_difference_05 = nemenyi_critical_difference(n_methods, test.data_sets, 0.05);
  test.critical_difference_10 = nemenyi_critical_difference(n_methods, test.data_sets, 0.10);
  return test;
}

double nemenyi_critical_difference(Index n_methods, Index n_data_sets, double level) {
  const double deviation = rank_deviation(n_methods, n_data_sets);
  if (!(level > 0.0 && level < 1.0))
    throw InvalidArgument(
        fmt::format("the level of a test must be between 0 and 1, not {}", level));
  return studentized_range_quantile(1.0 - level, n_methods) / std::numbers::sqrt2 * deviation;
}

double nemenyi_p_value(double rank_difference, Index n_methods, Index n_data_sets) {
  const double deviation = rank_deviation(n_methods, n_data_sets);
  const double q = std::abs(rank_difference) / deviation * std::numbers::sqrt2;
  return 1.0 - studentized_range_cdf(q, n_methods);
}

}  // namespace tamis
