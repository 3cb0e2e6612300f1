#include "prepare/column_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tamis {

std::optional<std::string> differing_units(const Problem& problem) {
  constexpr double kMostTimes = 100.0;
  const std::vector<double> squares = moments(problem.matrix).squares;
  const std::vector<bool> varies = varying_columns(problem.matrix);
  Index widest = -1;
  Index narrowest = -1;
  for (Index r = 0; r < problem.cols(); ++r) {
    if (!varies[r]) continue;
    if (widest < 0 || squares[r] > squares[widest]) widest = r;
    if (narrowest < 0 || squares[r] < squares[narrowest]) narrowest = r;
  }
  if (widest < 0 || !(squares[widest] > kMostTimes * kMostTimes * squares[narrowest]))
    return std::nullopt;
  const auto deviation = [&](Index r) {
    return std::sqrt(squares[r] / static_cast<double>(problem.rows()));
  };
  return fmt::format(
      "the standard deviations reach from {:.3g} in column {} to {:.3g} in column {}, so that "
      "distances hardly see the small ones",
      deviation(narrowest), column_name(problem, narrowest), deviation(widest),
      column_name(problem, widest));
}

}  // namespace tamis
