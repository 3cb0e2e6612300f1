#pragma once

#include "tamis/core/ranking.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

struct DiversifyOptions {
  Index n_candidates = 200;
  std::optional<double> nugget = std::nullopt;
  TargetOptions target = {};
  RelevanceOptions relevance = {.fdr = 1.0};

  static constexpr auto fields() {
    using Self = DiversifyOptions;
    const auto fdr = nested_fields(&Self::relevance).get<0>();
    return field_list(field("n_candidates", &Self::n_candidates,
                            "best features of the ranking that are put into another order"),
                      fdr);
  }
};

/// Puts the best H features of any ranking of the problem into the order in which the greedy choice
/// of ridge_omp takes them, feature number i of the ranking with weight 1 - (i - 1)/H: what repeats
/// a better feature moves back. Candidates that add nothing follow in the old order, then all
/// others. Scores stay those of the method; Ranking::diversity says why each candidate stands where
/// it does. Ranking::relevance is that of the new order if features are judged (fdr below 1), and
/// else not set.
/// @throws InvalidArgument if n_candidates is not positive, or as ridge_omp
Ranking diversify(const Problem& problem, Ranking ranking, const DiversifyOptions& options = {},
                  const Run& run = {});

}  // namespace tamis
