#pragma once

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/methods/state_options.hpp"

namespace tamis {

struct InformationGainOptions {
  StateOptions states = {};

  static constexpr MethodInfo info{
      .name = "information_gain",
      .title = "Information gain",
      .supervision = Supervision::supervised,
      .needs = Needs::classes,
      .reference = "Quinlan, Induction of decision trees, Machine Learning 1, 1986",
      .streams = Streams::known_rows};
  static constexpr auto fields() { return nested_fields(&InformationGainOptions::states); }
};

/// Ranks features by the mutual information of their state (above, near or below the mean) and the
/// class, over the labeled rows and in nats; higher is better.
///
/// Deterministic, O(lm) for l labeled rows. Scores that tie but for rounding are made equal. A
/// column that is constant over the labeled rows is undefined.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if fewer than two classes have labeled rows, or every column is undefined
Ranking information_gain(const Problem& problem, const InformationGainOptions& options = {},
                         const Run& run = {});

}  // namespace tamis
