#pragma once

#include <span>
#include <vector>

#include "methods/ridge_omp/orthogonal_matching.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// A column as it is when it is chosen: enough to deflate all others without touching the rows.
struct ChosenColumn {
  std::vector<double> coordinates = {};  ///< its entry in the factor of each earlier choice
  double left = 0.0;                     ///< |z|^2_res
  std::vector<double> target = {};       ///< <z, target>_res
};

/// What is left of columns, of length 1 at first, and of their products with a target once what
/// noisy readings of the chosen columns tell of them is taken away: their covariances given
/// z_j + noise of variance nugget (a Gaussian process, conditioned choice by choice). A column is
/// known by its products with the chosen ones: a Cholesky factor row by row, with the nugget on the
/// diagonal. Without a nugget that is the modified Gram-Schmidt process.
class ResidualColumns {
 public:
  ResidualColumns(const MatchingColumns& columns, double nugget);

  Index count() const { return std::ssize(left_); }
  /// w |<z, target>_res|^2 / (|z|^2_res + nugget); 0 for chosen columns and those that are
  /// explained.
  double gain(Index s) const;
  /// |cos| of the angle between what two columns have to do with the target.
  double alignment(Index s, Index t) const;
  ChosenColumn at(Index s) const;
  void exclude(Index s) { is_excluded_[s] = true; }
  bool is_excluded(Index s) const { return is_excluded_[s]; }
  /// Drops all columns but those at the given positions; before any is chosen.
  void keep(std::span<const Index> positions);

  /// Takes away what a column tells whose inner products with all columns (of length 1) are given.
  void deflate(const ChosenColumn& chosen, std::span<const double> products);

 private:
  const double* target_of(Index s) const { return &targets_[s * width_]; }

  Index width_;
  double nugget_;
  std::vector<double> weights_;
  std::vector<double> left_;
  std::vector<bool> is_excluded_;
  Buffer<double> targets_;                   ///< columns x width
  std::vector<Buffer<double>> coordinates_;  ///< one per choice, over the columns
};

}  // namespace tamis
