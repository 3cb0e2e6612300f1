#pragma once

#include <functional>
#include <span>
#include <vector>

#include "methods/relevance/crossed_targets.hpp"

namespace tamis {

/// A ln p of a column by the law as its decoys have it.
using CorrectLogP = std::function<double(Index column, double log_p)>;

/// For each of the chosen columns the probability that, of the columns not yet chosen, the best
/// would explain as much of what its target has left if none had anything to do with it. What a
/// chosen column tells, read with noise of variance `nugget`, is taken from all targets before the
/// next. Ends after four in a row above 1/2.
std::vector<double> step_probabilities(const RankedTable& z, const CrossedTargets& crossed,
                                       std::span<const Index> chosen, double nugget,
                                       const CorrectLogP& corrected);

}  // namespace tamis
