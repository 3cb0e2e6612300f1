#include "clustering/ward/held_points.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "clustering/ward/fetch.hpp"
#include "core/simd.hpp"

namespace tamis {
namespace {

constexpr double kLargest = 32767.0;
/// Of how far a point is from its row, which is how far it is from others at least, or nearly so.
constexpr double kLargestError = 1e-3;

double largest_difference(const float* from, const double* point, Index cols) {
  double largest = 0.0;
  for (Index r = 0; r < cols; ++r)
    largest = std::max(largest, std::abs(point[r] - static_cast<double>(from[r])));
  return largest;
}

double distance(const float* from, const double* point, Index cols) {
  double squared = 0.0;
  for (Index r = 0; r < cols; ++r) {
    const double difference = point[r] - static_cast<double>(from[r]);
    squared += difference * difference;
  }
  return std::sqrt(squared);
}

/// Of one that overflows or underflows nothing is held but the origin.
float unit_of(double largest) {
  const auto unit = static_cast<float>(largest / kLargest);
  return std::isnormal(unit) ? unit : 0.0F;
}

/// How an integer is rounded does not matter: the error is measured.
void round_differences(const float* from, const double* point, float unit, Index cols,
                       std::int16_t* out) {
  if (unit == 0.0F) {
    std::fill_n(out, cols, std::int16_t{0});
    return;
  }
  const double per_unit = 1.0 / static_cast<double>(unit);
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < cols; ++r) {
      const double units = (point[r] - static_cast<double>(from[r])) * per_unit;
      const double nearest = units + (units < 0.0 ? -0.5 : 0.5);
      out[r] = static_cast<std::int16_t>(
          static_cast<std::int32_t>(std::min(std::max(nearest, -kLargest), kLargest)));
    }
  });
}

}  // namespace

HeldPoints::HeldPoints(Index rows, std::vector<float> origin, Index most)
    : origin_(std::move(origin)),
      differences_(most * cols()),
      held_(most),
      places_(rows, -1),
      written_(cols()) {
  free_places_.reserve(most);
  for (Index place = most; place > 0; --place)
    free_places_.push_back(static_cast<std::int32_t>(place - 1));
}

void HeldPoints::hold(Index row, const float* row_values, const double* point) {
  if (!holds(row)) {
    if (free_places_.empty()) return;
    places_[row] = free_places_.back();
    free_places_.pop_back();
  }
  round(row, row_values, point, /*is_near_row=*/false);
  const double near = kLargestError * distance(row_values, point, cols());
  if (!(error(row) <= near)) round(row, row_values, point, /*is_near_row=*/true);
}

void HeldPoints::round(Index row, const float* row_values, const double* point, bool is_near_row) {
  const Index place = places_[row];
  const float* const from = is_near_row ? row_values : origin_.data();
  Held& held = held_[place];
  held.unit = unit_of(largest_difference(from, point, cols()));
  held.is_near_row = is_near_row;
  round_differences(from, point, held.unit, cols(), differences_.data() + place * cols());
  write(row, row_values, 0, cols(), written_.data());
  held.error = distance(written_.data(), point, cols());
}

void HeldPoints::release(Index row) {
  if (!holds(row)) return;
  free_places_.push_back(places_[row]);
  places_[row] = -1;
}

void HeldPoints::write(Index row, const float* row_values, Index begin, Index end,
                       float* out) const {
  const Index place = places_[row];
  const std::int16_t* const differences = differences_.data() + place * cols() + begin;
  const float* const from = held_[place].is_near_row ? row_values : origin_.data() + begin;
  const float unit = held_[place].unit;
  for_this_cpu([=, count = end - begin](auto) TAMIS_KERNEL {
    for (Index r = 0; r < count; ++r) out[r] = from[r] + unit * static_cast<float>(differences[r]);
  });
}

void HeldPoints::fetch(Index row, Index begin, Index end) const {
  fetch_numbers(differences_.data() + places_[row] * cols() + begin, end - begin);
}

}  // namespace tamis
