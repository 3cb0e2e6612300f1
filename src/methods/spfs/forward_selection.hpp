#pragma once

#include "methods/spfs/similarity.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// Features chosen one by one, by their place among the given columns.
struct ChosenColumns {
  SelectionPath path = {};
  std::vector<double> criteria = {};  ///< of each column when the last one was chosen
};

/// Always the largest 2 f'Rf - (f'f)^2, R <- R - ff', from R = K: what lowers |R|^2 most. Columns
/// have length 1. R is never formed: f'Rf loses the squared product of f with each choice.
ChosenColumns forward_selection(const StandardColumns& columns, const RowSimilarity& similarity,
                                Index max_features, const Progress& progress);

}  // namespace tamis
