#pragma once

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/methods/state_options.hpp"

namespace tamis {

struct FcbfOptions {
  double delta = 0.0;
  StateOptions states = {};

  static constexpr MethodInfo info{
      .name = "fcbf",
      .title = "Fast correlation-based filter (FCBF)",
      .supervision = Supervision::supervised,
      .needs = Needs::classes,
      .reference =
          "Yu, Liu, Feature selection for high-dimensional data: a fast correlation-based filter "
          "solution, ICML 2003",
      .selects_subset = true,
      .streams = Streams::known_rows};
  static constexpr auto fields() {
    using Self = FcbfOptions;
    return joined(
        field_list(field("delta", &Self::delta, between(0, 1),
                         "symmetric uncertainty with the classes that a feature must exceed to be "
                         "kept")),
        nested_fields(&Self::states));
  }
};

/// Keeps predominant features: down the list of those whose symmetric uncertainty with the classes,
/// SU(f, y) = 2 I / (H + H), exceeds delta, the best one left is kept and removes every g of which
/// it knows at least as much as the classes do, SU(f, g) >= SU(g, y). Over the labeled rows, of
/// states. Scores are places: the kept ones, then all others by SU; `path` and `subset` are the
/// kept ones.
///
/// Deterministic, O(lm) for l labeled rows and each feature kept, 64 rows at a time. SU is rounded
/// to 10 decimals before it is compared; ties go to the lower column. Warns if nothing is kept. A
/// column that is constant over the labeled rows is undefined.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if fewer than two classes have labeled rows, or every column is undefined
Ranking fcbf(const Problem& problem, const FcbfOptions& options = {}, const Run& run = {});

}  // namespace tamis
