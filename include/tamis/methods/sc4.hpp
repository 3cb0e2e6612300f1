#pragma once

#include "tamis/methods/laplacian_score.hpp"

namespace tamis {

struct Sc4Options {
  LaplacianScoreOptions laplacian = {};

  static constexpr MethodInfo info{
      .name = "sc4",
      .title = "Semi-supervised constraint score (SC4)",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::constraints,
      .reference =
          "Kalakech, Biela, Macaire, Hamad, Constraint scores for semi-supervised feature "
          "selection: a comparative study, Pattern Recognition Letters 32, 2011",
      .measures_distances = true,
      .paper = LaplacianScoreOptions::kPaper,
      .streams = Streams::condensed,
      .streams_if = "condense=som"};
  static constexpr auto fields() { return nested_fields(&Sc4Options::laplacian); }
};

/// Ranks features by the product of laplacian_score and constraint_score (its ratio); lower is
/// better. Deterministic; costs what the two cost. Undefined where either of them is.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if there is no pair, pairs contradict, or every column is undefined
Ranking sc4(const Problem& problem, const Sc4Options& options = {}, const Run& run = {});

}  // namespace tamis
