#include "tamis/methods/constraint_score.hpp"

#include "constraints/pair_sums.hpp"
#include "methods/preconditions.hpp"

namespace tamis {

double constraint_score(const ConstraintSums& sums, ConstraintScoreForm form, double nu) {
  if (form == ConstraintScoreForm::difference) return sums.must - nu * sums.cannot;
  if (!sums.has_cannot) return sums.must;
  if (sums.cannot <= 0.0) return kUndefined;
  return (sums.has_must ? sums.must : 1.0) / sums.cannot;
}

Ranking constraint_score(const Problem& problem, const ConstraintScoreOptions& options,
                         const Run& /*run*/) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const std::vector<bool> varies = rankable_columns(options.info, problem);
  const ConstraintSet constraints(problem.known, problem.rows());
  const bool has_must = constraints.n_must_link() > 0;
  const bool has_cannot = constraints.n_cannot_link() > 0;
  const std::vector<double> must = must_link_sums(problem.matrix, constraints);
  const std::vector<double> cannot = cannot_link_sums(problem.matrix, constraints);
  std::vector<double> scores(problem.cols(), kUndefined);
  for (Index r = 0; r < problem.cols(); ++r)
    if (varies[r])
      scores[r] =
          constraint_score({must[r], cannot[r], has_must, has_cannot}, options.form, options.nu);
  return rank_features(std::move(scores), Better::lower, {},
                       "constraint_score: no column tells any two cannot-linked rows apart; give "
                       "more labels or pairs");
}

}  // namespace tamis
