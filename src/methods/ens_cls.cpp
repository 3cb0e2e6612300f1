#include "tamis/methods/ens_cls.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ensembles/bagging.hpp"
#include "methods/preconditions.hpp"

namespace tamis {

Index committee_size(Index n_features) {
  if (n_features < 2) return 10;  // one feature is in every subspace
  const double missed = 1.0 - 1.0 / std::sqrt(static_cast<double>(n_features));
  return 10 * static_cast<Index>(std::ceil(std::log(0.01) / std::log(missed)));
}

Index default_subspace_size(Index n_features) {
  return std::lround(std::sqrt(static_cast<double>(n_features)));
}

Ranking ens_cls(const Problem& problem, const EnsClsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  rankable_columns(options.info, problem);
  const BaggingOptions bags{
      .n_members = options.n_members.value_or(committee_size(problem.cols())),
      .subspace_size = options.subspace_size.value_or(default_subspace_size(problem.cols())),
      .combine = options.combine};
  return bagging(
      problem, bags,
      [&](const Problem& member, const Run& of_member) {
        return cls(member, options.cls, of_member);
      },
      run);
}

}  // namespace tamis
