#pragma once

#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// What is known of rows held in float32 or as integers, after a common shift and a scaling by a
/// power of two, and how wrong inner products of them can be.
///
/// With r = the norm of a row as held, the key |a|^2 + |b|^2 - 2 <a, b> of two rows differs from
/// the squared distance of what is held by at most relative_error * (r_a^2 + r_b^2) +
/// absolute_error, and what is held differs from the table by at most held_error * r per row.
struct HeldRows {
  static constexpr double kUnitRoundoff = 0x1p-24;
  /// Products of integers, their sums and the keys of rows of smaller squared norms (at most four
  /// times those) stay below 2^24: all exact.
  static constexpr double kLargestExactNorm = 0x1p22;

  std::vector<double> squared_norms = {};
  double scale = 1.0;
  double relative_error = 0.0;
  double absolute_error = 0.0;
  double held_error = kUnitRoundoff;
  bool error_free = false;  ///< keys are exact: small integers

  /// Fills the errors for products that are sums of at most `terms` rounded additions over `depth`
  /// columns, once squared_norms and scale are known.
  /// @throws DataError if squared distances of the rows overflow
  void set_error_bounds(Index terms, Index depth, bool integers);

  /// The largest key that a row no farther than this (as the table has it) can have.
  double largest_key(Index position, double squared_distance) const;
  /// The largest squared distance (as the table has it) of two rows of these squared norms and this
  /// key; it grows with all three.
  double largest_squared_distance(double squared_norm, double other_squared_norm, double key) const;
};

}  // namespace tamis
