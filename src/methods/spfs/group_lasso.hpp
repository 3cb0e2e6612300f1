#pragma once

#include "methods/spfs/similarity.hpp"

namespace tamis {

/// A minimum of 1/2 |FW - Y|^2 + lambda |W|_{2,1}.
struct GroupLasso {
  Targets weights = {};            ///< of each target: one number per column
  std::vector<double> norms = {};  ///< |w_j| of each column
  std::vector<double> left = {};   ///< |f_j'(Y - FW)|
  double lambda = 0.0;
  double objective = 0.0;
  double gap = 0.0;  ///< to the dual, relative
  Index iterations = 0;
  bool converged = false;

  Index n_nonzero() const;
};

/// max_j |f_j'Y|: from this lambda on W is 0.
double largest_lambda(const StandardColumns& columns, const Targets& targets);

/// By accelerated proximal gradient steps (Y. Nesterov; A. Beck, M. Teboulle, A fast iterative
/// shrinkage-thresholding algorithm, SIAM J. Imaging Sciences 2, 2009) of a length found on the
/// way, begun anew when the objective rises, until the duality gap is 1e-8 of the objective.
/// @param start weights to begin with; empty: 0
GroupLasso group_lasso(const StandardColumns& columns, const Targets& targets, double lambda,
                       Targets start = {});

}  // namespace tamis
