#pragma once

#include <optional>
#include <string_view>

#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

/// Copies of columns drawn at random, each permuted over the rows.
struct ShadowColumns {
  std::vector<Index> originals = {};  ///< positions among the candidates
  std::optional<RankedTable> table = std::nullopt;

  /// Nothing if no shadow was wanted.
  WeightedColumns weighted(std::vector<double> weights) const;
};

/// At most `count` of the candidates. They are drawn from RandomStream(run.seed, 1), and the
/// s-th is permuted by RandomStream(run.seed, 2 + s); the trace tells which they are.
ShadowColumns draw_shadows(const Run& run, const RankedTable& z, std::span<const Index> candidates,
                           Index count);

/// Records each choice.
void record_choices(const Trace& trace, const Matching& matching);

/// Warns, as `who`, if a shadow gains as much as every candidate from the start.
void warn_if_none_is_worth_it(std::string_view who, const Matching& matching,
                              Diagnostics& diagnostics);

}  // namespace tamis
