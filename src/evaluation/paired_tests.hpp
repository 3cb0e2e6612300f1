#pragma once

#include <span>
#include <vector>

#include "tamis/core/ranking.hpp"

/// Two methods at a time. All tests are two-sided.
namespace tamis {

struct PairedTest {
  double statistic = 0.0;
  double p_value = 1.0;
  Index sign = 0;  ///< 1 if the first list is larger on the whole, -1 if the second is
};

/// Student's t of the differences a - b. Without any difference: 0, with p-value 1.
///
/// Runs that share rows are not independent. `overlap`, the number of test rows divided by that of
/// training rows, corrects the variance of the mean difference to (1/runs + overlap) s^2 (Nadeau,
/// Bengio, Inference for the generalization error, Machine Learning 52, 2003); 0 is the plain test.
/// @throws InvalidArgument for lists of different lengths or fewer than two pairs
/// @throws DataError for a score that is not a number
PairedTest paired_t_test(std::span<const double> a, std::span<const double> b,
                         double overlap = 0.0);

/// The mean of a - b and its 95 % interval, by the same correction.
struct MeanDifference {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;

  static constexpr auto fields() {
    using Self = MeanDifference;
    return field_list(named("mean", &Self::mean), named("low", &Self::low),
                      named("high", &Self::high));
  }
};
MeanDifference mean_difference(std::span<const double> a, std::span<const double> b,
                               double overlap = 0.0);

/// Wilcoxon's signed ranks: the smaller sum of ranks of |a - b| by sign, zeros left out, ties
/// sharing ranks. The p-value is exact for up to 50 pairs without ties or zeros and for up to 13
/// with them, else from the normal approximation, corrected for ties.
/// @throws as above
PairedTest wilcoxon_signed_rank(std::span<const double> a, std::span<const double> b);

/// How often one method beats another over data sets.
struct WinTieLoss {
  Index wins = 0;
  Index ties = 0;
  Index losses = 0;
  friend bool operator==(const WinTieLoss&, const WinTieLoss&) = default;

  static constexpr auto fields() {
    using Self = WinTieLoss;
    return field_list(named("wins", &Self::wins), named("ties", &Self::ties),
                      named("losses", &Self::losses));
  }
};

enum class PairedTestKind { t, wilcoxon };

/// Entry i * n_methods + j says on how many data sets method i is significantly better than, not
/// different from, and worse than method j: the test's p-value is at most `level`. Each data set is
/// a table of runs x methods, row-major; `overlap` as in paired_t_test.
/// @throws InvalidArgument for fewer than two methods, or as the test does
std::vector<WinTieLoss> win_tie_loss(std::span<const std::vector<double>> data_sets,
                                     Index n_methods, double level,
                                     PairedTestKind kind = PairedTestKind::t,
                                     Better better = Better::higher, double overlap = 0.0);

/// Exact binomial test of wins against losses.
struct SignTest {
  Index wins = 0;         ///< with half of the ties; an odd one is ignored
  Index comparisons = 0;  ///< that count
  double p_better = 1.0;  ///< one-sided: the chance of so many wins between equals
  double p_value = 1.0;   ///< two-sided

  static constexpr auto fields() {
    using Self = SignTest;
    return field_list(named("wins", &Self::wins), named("comparisons", &Self::comparisons),
                      named("p_better", &Self::p_better), named("p_value", &Self::p_value));
  }
};
SignTest sign_test(const WinTieLoss& counts);

/// The fewest wins of so many comparisons that are significantly many (one-sided, as Demsar's table
/// has it); more than there are comparisons if no number is.
Index critical_wins(Index comparisons, double level);

/// p-values of several hypotheses, made comparable with one level for all (Holm 1979), in the same
/// order.
/// @throws InvalidArgument for one outside of 0 .. 1
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace tamis
