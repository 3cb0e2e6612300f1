#include "tamis/projections/rca.hpp"

#include "projections/chunklet_directions.hpp"

namespace tamis {

Projection rca(const Problem& problem, const RcaOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  const auto groups = chunklets(options.info, problem);
  Fitting fitting(options.info, problem, options.n_components, run);
  Eigenbasis basis = chunklet_directions(fitting, groups, options.ridge);
  return fitting.projection(std::move(basis.values), basis.vectors, Fitting::Length::as_given);
}

}  // namespace tamis
