#pragma once

#include "tamis/core/ranking.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

class LevelRanking;

struct DiversifyOptions {
  Index n_candidates = 200;
  std::optional<double> nugget = std::nullopt;
  Ranks ranks = Ranks::exact;
  TargetOptions target = {};
  RelevanceOptions relevance = {.fdr = 1.0};

  static constexpr auto fields() {
    using Self = DiversifyOptions;
    const auto fdr = nested_fields(&Self::relevance).get<0>();
    return field_list(field("n_candidates", &Self::n_candidates,
                            "best features of the ranking that are put into another order"),
                      field("ranks", &Self::ranks,
                            "ranks as they are, or rounded to 4095 levels: those of the method, "
                            "and levels where the table is read in runs of rows"),
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

/// What is asked of a table that is never seen as a whole, so that its rankings can be diversified:
/// the questions of a LevelRanking with these options, in the name of this one.
RidgeOmpOptions level_options(const DiversifyOptions& options);
MethodInfo diversify_info();

/// The same, with ranks = levels, by one whose questions are answered.
Ranking diversify(LevelRanking& levels, const Knowledge& known, Ranking ranking,
                  const DiversifyOptions& options, const Run& run);

/// @throws InvalidArgument if n_candidates is not positive, or as ridge_omp; DataError if what is
/// known is a numeric target that says nothing
void check_diversify(const DiversifyOptions& options, const Knowledge& known);

}  // namespace tamis
