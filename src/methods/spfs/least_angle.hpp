#pragma once

#include "methods/spfs/forward_selection.hpp"

namespace tamis {

/// Least angle regression of several targets on columns of length 1, without lasso steps: starts
/// with the largest |f'Y|; then R <- R - gamma G, G being the projection of R on the active columns
/// and gamma the smallest at which another column, not in their span, is as near: |f'(R - gamma G)|
/// = (1 - gamma) |f_a'R|. Ends if there is none. The criterion of a column is |f'R|.
ChosenColumns least_angle(const StandardColumns& columns, const Targets& targets,
                          Index max_features, const Progress& progress);

}  // namespace tamis
