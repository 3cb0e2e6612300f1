#pragma once

#include <span>
#include <vector>

#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// A column as it is when it is chosen: enough to deflate all others without touching the rows.
struct ChosenColumn {
  std::vector<double> coordinates = {};  ///< <z, q_p> for the orthonormal q of each earlier choice
  double left = 0.0;                     ///< |z|^2_res
  std::vector<double> target = {};       ///< <z, target>_res
};

/// What is left of columns, of length 1 at first, and of their products with a target once the
/// chosen columns are projected out. Modified Gram-Schmidt in coordinates: a column is known by its
/// products with the chosen ones, a Cholesky factor row by row.
class ResidualColumns {
 public:
  ResidualColumns(const WeightedColumns& columns, const RowVectors& target);

  Index count() const { return std::ssize(left_); }
  /// w |<z, target>_res|^2 / |z|^2_res; 0 for chosen columns and those that are explained.
  double gain(Index s) const;
  /// |cos| of the angle between what two columns have to do with the target.
  double alignment(Index s, Index t) const;
  ChosenColumn at(Index s) const;
  void exclude(Index s) { is_excluded_[s] = true; }

  /// Projects out a column whose inner products with all columns (of length 1) are given.
  void deflate(const ChosenColumn& chosen, std::span<const double> products);

 private:
  const double* target_of(Index s) const { return &targets_[s * width_]; }

  Index width_;
  std::vector<double> weights_;
  std::vector<double> left_;
  std::vector<bool> is_excluded_;
  Buffer<double> targets_;                   ///< columns x width
  std::vector<Buffer<double>> coordinates_;  ///< one per choice, over the columns
};

}  // namespace tamis
