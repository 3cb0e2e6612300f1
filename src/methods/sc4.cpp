#include "tamis/methods/sc4.hpp"

#include "tamis/methods/constraint_score.hpp"

namespace tamis {

Ranking sc4(const Problem& problem, const Sc4Options& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  Ranking constrained = constraint_score(problem, {.form = ConstraintScoreForm::ratio}, run);
  Ranking laplacian = laplacian_score(problem, options.laplacian, run);
  std::vector<double> scores = laplacian.scores;
  for (Index r = 0; r < problem.cols(); ++r) scores[r] *= constrained.scores[r];
  Ranking ranking =
      rank_features(std::move(scores), Better::lower, std::move(laplacian.diagnostics),
                    "sc4: no column has both a Laplacian score and a constraint score; give more "
                    "labels or pairs, or raise bandwidth or n_neighbors");
  ranking.terms = {{{"laplacian_score", std::move(laplacian.scores)},
                    {"constraint_score", std::move(constrained.scores)}}};
  return ranking;
}

}  // namespace tamis
