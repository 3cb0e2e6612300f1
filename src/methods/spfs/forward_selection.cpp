#include "methods/spfs/forward_selection.hpp"

#include <algorithm>

#include "core/ties.hpp"

namespace tamis {

ChosenColumns forward_selection(const StandardColumns& columns, const RowSimilarity& similarity,
                                Index max_features, const Progress& progress) {
  const Index steps = std::min(max_features, columns.cols());
  Progress::Stage stage(progress, "choosing features", steps);
  std::vector<double> within = similarity.within(columns);  // f'Rf; undefined once chosen
  double rest = similarity.squared_norm();
  ChosenColumns chosen;
  for (Index step = 0; step < steps; ++step) {
    chosen.criteria = within;
    for (double& criterion : chosen.criteria) criterion = 2.0 * criterion - 1.0;
    const Index best = first_of_best(chosen.criteria, Better::higher);
    rest -= chosen.criteria[best];
    chosen.path.features.push_back(best);
    chosen.path.criterion.push_back(rest);
    const std::vector<double> products = columns.combined(columns.column(best));
    for (std::size_t r = 0; r < within.size(); ++r) within[r] -= products[r] * products[r];
    within[best] = kUndefined;
    stage.advance();
  }
  return chosen;
}

}  // namespace tamis
