#pragma once

#include "methods/relevance/judgement.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

/// ridge_omp with folds that may be given: what is left to chance then are decoys, permuted labels
/// and the components of large tables.
Ranking ridge_omp_in_folds(const Problem& problem, const RidgeOmpOptions& options, const Run& run,
                           const GivenFolds& folds);

}  // namespace tamis
