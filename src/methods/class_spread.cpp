#include "methods/class_spread.hpp"

namespace tamis {
namespace {

ColumnMoments plain_moments(const MatrixView& x, const std::vector<Index>& rows) {
  return weighted_moments(x, rows, std::vector<double>(rows.size(), 1.0));
}

}  // namespace

ClassSpread class_spread(const Problem& problem) {
  const std::vector<Index> labeled = labeled_rows(problem.known);
  ClassSpread spread{.mean = plain_moments(problem.matrix, labeled).mean,
                     .between = std::vector<double>(problem.cols(), 0.0),
                     .within = std::vector<double>(problem.cols(), 0.0),
                     .varies = varying_columns(problem.matrix, labeled),
                     .varies_within = std::vector<bool>(problem.cols(), false)};
  for (const std::vector<Index>& rows : rows_by_class(problem.known)) {
    const ColumnMoments members = plain_moments(problem.matrix, rows);
    const std::vector<bool> varies = varying_columns(problem.matrix, rows);
    for (Index r = 0; r < problem.cols(); ++r) {
      const double shift = members.mean[r] - spread.mean[r];
      spread.between[r] += members.total_weight * shift * shift;
      if (!varies[r]) continue;  // exactly 0, however it was rounded
      spread.within[r] += members.squares[r];
      spread.varies_within[r] = true;
    }
  }
  return spread;
}

}  // namespace tamis
