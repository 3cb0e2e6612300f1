#include "tamis/projections/cfld.hpp"

#include "projections/chunklet_directions.hpp"

namespace tamis {

Projection cfld(const Problem& problem, const CfldOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  const auto groups = chunklets(options.info, problem);
  Fitting fitting(options.info, problem, options.n_components, run);
  Eigenbasis basis = chunklet_directions(fitting, groups, options.ridge);
  return fitting.projection(std::move(basis.values), basis.vectors, Fitting::Length::one);
}

}  // namespace tamis
