#pragma once

#include <span>
#include <vector>

#include "linalg/row_vectors.hpp"

namespace tamis {

/// The least ln p that is told apart.
inline constexpr double kLeastLogP = -700.0;

/// How much of a target a column explains that has nothing to do with it. With u of length 1 in a
/// random direction, |u'T|^2 is distributed as sum_i s_i w_i^2, s the eigenvalues of T'T and w
/// uniform on the unit sphere of `dimension` dimensions.
class SphereLaw {
 public:
  /// @param eigenvalues of T'T, in any order; of more than `dimension` the largest count
  SphereLaw(std::vector<double> eigenvalues, Index dimension);

  /// ln P(sum_i s_i w_i^2 >= x), at least kLeastLogP. The event is that of
  /// sum_i (s_i - x) g_i^2 >= 0 for independent normal g, whose probability is approximated by its
  /// saddle point (Lugannani, Rice, Advances in Applied Probability 12, 1980, in the form of
  /// Barndorff-Nielsen). Where x is the mean the formula is 0/0: there it is interpolated.
  double log_tail(double x) const;

 private:
  struct Saddle;
  double saddle_point_tail(double x) const;

  std::vector<double> eigenvalues_;  ///< positive, largest first
  Index dimension_;
  double mean_ = 0.0;
};

/// The law of a target T, and of one of which T'T is known (its lower triangle, row-major).
SphereLaw law_of(const RowVectors& target, Index dimension);
SphereLaw law_of_squares(std::span<const double> squares, Index dimension);

}  // namespace tamis
