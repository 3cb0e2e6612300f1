#include "tamis/methods/fisher_score.hpp"

#include <limits>

#include "methods/class_spread.hpp"
#include "methods/preconditions.hpp"

namespace tamis {

Ranking fisher_score(const Problem& problem, const FisherScoreOptions& options,
                     const Run& /*run*/) {
  check_needs(options.info, problem);
  const auto [mean, between, within, varies, varies_within] = class_spread(problem);
  std::vector<double> scores(problem.cols(), kUndefined);
  for (Index r = 0; r < problem.cols(); ++r) {
    if (within[r] > 0.0)
      scores[r] = between[r] / within[r];
    else if (varies[r] && !varies_within[r])  // else its squares vanished: nothing can be said
      scores[r] = std::numeric_limits<double>::infinity();
  }
  return rank_features(std::move(scores), Better::higher, {},
                       constant_on_labeled_rows(options.info));
}

}  // namespace tamis
