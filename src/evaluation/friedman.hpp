#pragma once

#include <span>
#include <vector>

#include "tamis/core/ranking.hpp"

/// Several methods on several data sets, as Demsar, "Statistical comparisons of classifiers over
/// multiple data sets", JMLR 7, 2006, compares them.
namespace tamis {

struct FriedmanTest {
  std::vector<double> average_ranks = {};  ///< one per method; 1 is best, ties share ranks
  Index data_sets = 0;
  double chi_square = 0.0;  ///< corrected for ties; methods - 1 degrees of freedom
  double chi_square_p = 1.0;
  double f = 0.0;  ///< Iman and Davenport's; methods - 1 and (methods - 1)(data sets - 1)
  double f_p = 1.0;
  double critical_difference_05 = 0.0;  ///< of average ranks, at level 0.05 (Nemenyi)
  double critical_difference_10 = 0.0;

  static constexpr auto fields() {
    using Self = FriedmanTest;
    return field_list(
        named("data_sets", &Self::data_sets), named("average_ranks", &Self::average_ranks),
        named("chi_square", &Self::chi_square), named("chi_square_p", &Self::chi_square_p),
        named("f", &Self::f), named("f_p", &Self::f_p),
        named("critical_difference_05", &Self::critical_difference_05),
        named("critical_difference_10", &Self::critical_difference_10));
  }
};

/// Whether methods differ. Scores are data sets x methods, row-major. If every data set ties all
/// methods there is no difference: statistics 0, p-values 1.
/// @throws InvalidArgument for fewer than two methods or data sets
/// @throws DataError for a score that is not a number
FriedmanTest friedman_test(std::span<const double> scores, Index n_methods,
                           Better better = Better::higher);

/// Average ranks further apart than this differ significantly (Nemenyi): q_level sqrt(k(k+1)/6N).
/// @throws InvalidArgument as above, and unless 0 < level < 1
double nemenyi_critical_difference(Index n_methods, Index n_data_sets, double level);

/// The level at which average ranks that far apart would just differ.
double nemenyi_p_value(double rank_difference, Index n_methods, Index n_data_sets);

}  // namespace tamis
