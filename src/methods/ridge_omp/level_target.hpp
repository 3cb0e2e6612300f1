#pragma once

#include <span>
#include <vector>

#include "levels/correlations.hpp"
#include "linalg/ranked_table.hpp"
#include "methods/ridge_omp/row_evidence.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

/// A target as coefficients of columns with mean 0 and variance 1, one row per column of the table:
/// all that there is before rows are looked at again.
struct LevelTarget {
  double reliability = 0.0;
  /// Classes: scores of variance 1 whose softmax the shares are. Empty if labels say nothing.
  RowVectors class_scores = {};
  /// Pairs: what is spread, of mean squared row length 1. Empty if they say nothing.
  RowVectors links = {};
  /// Principal components, of mean squared row length 1.
  RowVectors components = {};
};

/// Made of the columns of `known` that have a spread, which are those rows of the table of which
/// something is known.
/// @param evidence may be none
LevelTarget level_target(const Correlations& correlations, const RankedTable& known,
                         const MatchingTarget::Evidence* evidence, const ColumnEvidence& columns,
                         const TargetOptions& options);

/// The standard deviation of each column of Z times coefficients.
std::vector<double> deviations(const Correlations& correlations, const RowVectors& coefficients);

}  // namespace tamis
