#pragma once

#include "tamis/core/ranking.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

struct DiversifyOptions {
  Index n_candidates = 200;
  Index n_shadows = 0;
  std::optional<double> nugget = std::nullopt;
  TargetOptions target = {};

  static constexpr auto fields() {
    using Self = DiversifyOptions;
    return std::tuple{field("n_candidates", &Self::n_candidates,
                            "best features of the ranking that are put into another order"),
                      field("n_shadows", &Self::n_shadows,
                            "permuted copies of candidates, to count features; 0: do not count")};
  }
};

/// Puts the best H features of any ranking of the problem into the order in which the greedy choice
/// of ridge_omp takes them, feature number i of the ranking with weight 1 - (i - 1)/H: what repeats
/// a better feature moves back. Candidates that add nothing follow in the old order, then all
/// others. Scores stay those of the method; Ranking::curve is set if shadows are wanted.
/// @throws InvalidArgument if n_candidates is not positive or n_shadows negative
Ranking diversify(const Problem& problem, Ranking ranking, const DiversifyOptions& options = {},
                  const Run& run = {});

}  // namespace tamis
