#include "tamis/methods/variance.hpp"

namespace tamis {

Ranking variance(const Problem& problem, const VarianceOptions& /*options*/, const Run& /*run*/) {
  std::vector<double> scores = moments(problem.matrix).squares;
  const std::vector<bool> varies = varying_columns(problem.matrix);
  for (Index r = 0; r < problem.cols(); ++r)
    scores[r] = varies[r] ? scores[r] / static_cast<double>(problem.rows()) : 0.0;
  return rank_features(std::move(scores), Better::higher, {}, "variance: the table has no columns");
}

}  // namespace tamis
