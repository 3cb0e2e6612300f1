#include "tamis/projections/pca.hpp"

#include "projections/fitting.hpp"

namespace tamis {

Projection pca(const Problem& problem, const PcaOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  Fitting fitting(options.info, problem, options.n_components, run);
  // The axes of the space of the rows are the principal ones.
  std::vector<double> axes(fitting.n_components() * fitting.rank(), 0.0);
  for (Index c = 0; c < fitting.n_components(); ++c) axes[c * fitting.rank() + c] = 1.0;
  return fitting.projection({fitting.variances().begin(), fitting.variances().end()}, axes,
                            Fitting::Length::one);
}

}  // namespace tamis
