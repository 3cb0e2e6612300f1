#pragma once

#include "tamis/core/method.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct FisherScoreOptions {
  static constexpr MethodInfo info{
      .name = "fisher_score",
      .title = "Fisher score",
      .supervision = Supervision::supervised,
      .needs = Needs::classes,
      .reference = "Duda, Hart, Stork, Pattern Classification, 2nd edition, Wiley 2001",
      .streams = Streams::known_rows};
  static constexpr auto fields() { return field_list(); }
};

/// Ranks features by the spread of the class means over the spread within the classes:
/// sum_c n_c (mu_c - mu)^2 / sum_c n_c sigma_c^2 over the labeled rows; higher is better.
///
/// Deterministic, O(lm) for l labeled rows. A column that is constant within each class but differs
/// between them scores +inf (best); one that is constant over the labeled rows, or so small that
/// its squares vanish, is undefined.
/// @throws DataError if fewer than two classes have labeled rows, or every column is undefined
Ranking fisher_score(const Problem& problem, const FisherScoreOptions& options = {},
                     const Run& run = {});

}  // namespace tamis
