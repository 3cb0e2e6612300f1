#pragma once

#include "tamis/core/options.hpp"
#include "tamis/core/run.hpp"
#include "tamis/projections/projection.hpp"

namespace tamis {

struct PcaOptions {
  Index n_components = 10;

  static constexpr ProjectionInfo info{
      .name = "pca",
      .title = "Principal components",
      .supervision = Supervision::unsupervised,
      .reference =
          "Hotelling, Analysis of a complex of statistical variables into principal "
          "components, Journal of Educational Psychology 24, 1933"};
  static constexpr auto fields() {
    return field_list(
        field("n_components", &PcaOptions::n_components, at_least(1), kComponentsHelp));
  }
};

/// Projects on the directions in which rows vary most: the eigenvectors of X_c'X_c / n, X_c being
/// the table with its columns centred. Deterministic; exact in rows or columns, whichever are
/// fewer: O(nm min(n, m)).
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if all rows are equal, or rows and columns both exceed 20000
Projection pca(const Problem& problem, const PcaOptions& options = {}, const Run& run = {});

}  // namespace tamis
