#include "tamis/methods/sc4.hpp"

#include "tamis/methods/constraint_score.hpp"

namespace tamis {

Ranking sc4(const Problem& problem, const Sc4Options& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const Ranking constrained = constraint_score(problem, {.form = ConstraintScoreForm::ratio}, run);
  Ranking laplacian = laplacian_score(problem, options.laplacian, run);
  for (Index r = 0; r < problem.cols(); ++r) laplacian.scores[r] *= constrained.scores[r];
  return rank_features(
      std::move(laplacian.scores), Better::lower, std::move(laplacian.diagnostics),
      "sc4: no column has both a Laplacian score and a constraint score; give more "
      "labels or pairs, or raise bandwidth or n_neighbors");
}

}  // namespace tamis
