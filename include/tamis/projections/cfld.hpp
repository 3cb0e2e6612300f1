#pragma once

#include "tamis/core/options.hpp"
#include "tamis/core/run.hpp"
#include "tamis/projections/projection.hpp"

namespace tamis {

/// What cfld and rca share: their source and their options.
inline constexpr std::string_view kChunkletReference =
    "Bar-Hillel, Hertz, Shental, Weinshall, Learning a Mahalanobis metric from equivalence "
    "constraints, JMLR 6, 2005";
template <class Options>
constexpr auto chunklet_fields() {
  return field_list(
      field("n_components", &Options::n_components, at_least(1), kComponentsHelp),
      field("ridge", &Options::ridge, positive(),
            "added to the spread within chunklets in every direction, as a share of the mean "
            "variance"));
}

struct CfldOptions {
  Index n_components = 10;
  double ridge = 1e-3;

  static constexpr ProjectionInfo info{.name = "cfld",
                                       .title = "Constrained Fisher's linear discriminant",
                                       .supervision = Supervision::semi_supervised,
                                       .reference = kChunkletReference,
                                       .needs_must_links = true};
  static constexpr auto fields() { return chunklet_fields<CfldOptions>(); }
};

/// Projects on the directions along which rows spread most compared to rows of one chunklet, which
/// are those that must-links join (closed): S_t a = lambda (S_w + e I) a, in the space of the rows,
/// S_t = X_c'X_c / n, S_w the mean of (x - m_c)(x - m_c)' over all rows in chunklets of at least
/// two, e = ridge times the mean eigenvalue of S_t. Directions have length 1 and need not be
/// orthogonal.
///
/// Deterministic; O(nm min(n, m)).
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if there is no must-link, pairs contradict or have weights, all rows are
/// equal, or rows and columns both exceed 20000
Projection cfld(const Problem& problem, const CfldOptions& options = {}, const Run& run = {});

}  // namespace tamis
