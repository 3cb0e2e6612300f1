#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "support/sample.hpp"

namespace tamis::test {

/// The class of a row by normal laws of the given columns over training rows, by the definition.
inline Index naive_bayes_class(const Dense& x, const std::vector<Index>& rows,
                               const std::vector<Index>& classes, const std::vector<Index>& columns,
                               Index row) {
  const auto variance = [&](Index r, auto&& belongs, double& mean) {
    double n = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    double least = HUGE_VAL;
    double greatest = -HUGE_VAL;
    for (std::size_t s = 0; s < rows.size(); ++s)
      if (belongs(classes[s])) {
        n += 1.0;
        sum += x(rows[s], r);
        least = std::min(least, x(rows[s], r));
        greatest = std::max(greatest, x(rows[s], r));
      }
    mean = sum / n;
    if (least == greatest) return 0.0;
    for (std::size_t s = 0; s < rows.size(); ++s)
      if (belongs(classes[s])) squares += std::pow(x(rows[s], r) - mean, 2.0);
    return squares / n;
  };
  double mean = 0.0;
  double largest = 0.0;
  for (const Index r : columns)
    largest = std::max(largest, variance(
                                    r, [](Index) { return true; }, mean));
  std::map<Index, double> logarithms;
  for (const Index c : classes) logarithms[c] += 1.0;  // counts, for now
  double magnitude = 0.0;
  for (auto& [c, logarithm] : logarithms) {
    logarithm = std::log(logarithm / static_cast<double>(rows.size()));
    for (const Index r : columns) {
      if (largest == 0.0) break;  // no column says anything
      const double v = variance(
                           r, [&, own = c](Index other) { return other == own; }, mean) +
                       1e-9 * largest;
      logarithm -= 0.5 * (std::log(v) + std::pow(x(row, r) - mean, 2.0) / v);
    }
    magnitude = std::max(magnitude, std::abs(logarithm));
  }
  double best = -HUGE_VAL;
  for (const auto& [c, logarithm] : logarithms) best = std::max(best, logarithm);
  for (const auto& [c, logarithm] : logarithms)
    if (logarithm >= best - 1e-10 * magnitude) return c;
  return -1;
}

}  // namespace tamis::test
