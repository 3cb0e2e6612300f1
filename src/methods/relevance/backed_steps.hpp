#pragma once

#include <functional>
#include <span>
#include <vector>

#include "methods/relevance/crossed_targets.hpp"

namespace tamis {

/// A ln p of a column by the law as its decoys have it.
using CorrectLogP = std::function<double(Index column, double log_p)>;

/// Columns u as they were chosen, of length 1 about their mean over the judged rows, and the
/// targets T of the folds.
struct ChosenProducts {
  std::vector<double> columns = {};               ///< u'u of all pairs, row-major
  std::vector<RowVectors> targets = {};           ///< u'T of each fold, one row per column
  std::vector<std::vector<double>> squares = {};  ///< T'T of each fold
};

/// How steps are judged.
struct BackedSteps {
  std::span<const Index> chosen = {};
  std::vector<Index> folds = {};  ///< of each
  Index judged = 0;               ///< columns
  Index dimension = 0;            ///< of the directions that a centred column can have
  double nugget = 0.0;
};

ChosenProducts chosen_products(const RankedTable& z, const CrossedTargets& crossed,
                               std::span<const Index> chosen);
BackedSteps steps_of(const CrossedTargets& crossed, std::span<const Index> chosen, double nugget);

/// For each of the chosen columns the probability that, of the columns not yet chosen, the best
/// would explain as much of what its target has left if none had anything to do with it. What a
/// chosen column tells, read with noise of variance `nugget`, is taken from all targets before the
/// next. Ends after four in a row above 1/2.
std::vector<double> step_probabilities(ChosenProducts products, const BackedSteps& steps,
                                       const CorrectLogP& corrected);

}  // namespace tamis
