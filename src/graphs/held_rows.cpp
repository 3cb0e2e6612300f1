#include "graphs/held_rows.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

void check_finite(double scale, std::span<const double> squared_norms) {
  if (scale > 0.0 && std::isfinite(std::ranges::max(squared_norms)) &&
      std::ranges::none_of(squared_norms, [](double norm) { return std::isnan(norm); }))
    return;
  throw DataError(
      "nearest neighbours: the rows lie so far apart that their squared distances overflow; divide "
      "the table by a power of ten first");
}

}  // namespace

void HeldRows::set_error_bounds(Index terms, Index depth, bool integers) {
  check_finite(scale, squared_norms);
  const double largest = std::ranges::max(squared_norms) / (scale * scale);
  error_free = integers && largest < kLargestExactNorm;
  // Higham, Accuracy and Stability of Numerical Algorithms, (3.5): |fl(a'b) - a'b| <= gamma_t
  // |a||b|; the key adds four roundings of numbers of at most 2 (r_a^2 + r_b^2).
  const double u = kUnitRoundoff;
  const double gamma = static_cast<double>(terms + 2) * u;
  relative_error = gamma / (1.0 - std::min(0.5, gamma)) + 16.0 * u;
  absolute_error = static_cast<double>(depth + 16) * 0x1p-140;  // products that underflow
}

/// The other row's norm is at most the position's norm plus the distance, so no bound on all norms
/// is needed.
double HeldRows::largest_key(Index position, double squared_distance) const {
  const double distance = scale * std::sqrt(squared_distance);
  const double norm = std::sqrt(squared_norms[position]);
  const double other_norm = (norm + distance) * (1.0 + 4.0 * held_error);
  const double held = distance + held_error * (norm + other_norm);
  return held * held + relative_error * (norm * norm + other_norm * other_norm) + absolute_error;
}

double HeldRows::largest_squared_distance(double squared_norm, double other_squared_norm,
                                          double key) const {
  const double distance =
      std::sqrt(key + relative_error * (squared_norm + other_squared_norm) + absolute_error) +
      held_error * (std::sqrt(squared_norm) + std::sqrt(other_squared_norm));
  return distance * distance / (scale * scale);
}

}  // namespace tamis
