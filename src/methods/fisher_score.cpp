#include "tamis/methods/fisher_score.hpp"

#include <limits>

namespace tamis {
namespace {

ColumnMoments plain_moments(const MatrixView& x, const std::vector<Index>& rows) {
  return weighted_moments(x, rows, std::vector<double>(rows.size(), 1.0));
}

}  // namespace

Ranking fisher_score(const Problem& problem, const FisherScoreOptions& /*options*/,
                     const Run& /*run*/) {
  check_needs(FisherScoreOptions::info, problem);
  const std::vector<Index> labeled = labeled_rows(problem.known);
  const std::vector<double> mean = plain_moments(problem.matrix, labeled).mean;
  std::vector<double> between(problem.cols(), 0.0);
  std::vector<double> within(problem.cols(), 0.0);
  std::vector<bool> varies_within(problem.cols(), false);
  for (const std::vector<Index>& rows : rows_by_class(problem.known)) {
    const ColumnMoments members = plain_moments(problem.matrix, rows);
    const std::vector<bool> varies = varying_columns(problem.matrix, rows);
    for (Index r = 0; r < problem.cols(); ++r) {
      const double shift = members.mean[r] - mean[r];
      between[r] += members.total_weight * shift * shift;
      if (!varies[r]) continue;  // exactly 0, however it was rounded
      within[r] += members.squares[r];
      varies_within[r] = true;
    }
  }
  const std::vector<bool> varies = varying_columns(problem.matrix, labeled);
  std::vector<double> scores(problem.cols(), kUndefined);
  for (Index r = 0; r < problem.cols(); ++r) {
    if (within[r] > 0.0)
      scores[r] = between[r] / within[r];
    else if (varies[r] && !varies_within[r])  // else squares vanished: nothing can be said
      scores[r] = std::numeric_limits<double>::infinity();
  }
  return rank_features(std::move(scores), Better::higher, {},
                       "fisher_score: every column is constant over the labeled rows; label more "
                       "rows");
}

}  // namespace tamis
