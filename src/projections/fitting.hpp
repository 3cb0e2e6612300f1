#pragma once

#include <string_view>

#include "linalg/row_space.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/run.hpp"
#include "tamis/projections/projection.hpp"

namespace tamis {

/// What all projections have in common: the centred table and the space of its rows, in which they
/// look for directions, and what is made of those.
class Fitting {
 public:
  /// @throws DataError if all rows are equal, or the table is too large
  Fitting(const ProjectionInfo& method, const Problem& problem, Index n_components, const Run& run);

  const RowSpace& space() const { return space_; }
  Index rank() const { return space_.rank(); }
  /// What was asked for, or the rank.
  Index n_components() const { return n_components_; }
  /// Of the rows, along the axes of the space.
  std::span<const double> variances() const { return variances_; }
  void warn(std::string_view warning) { warnings_.emplace_back(warning); }

  enum class Length { one, as_given };
  /// The projection on the first n_components of the directions, which are given in the coordinates
  /// of the space, one after the other. The entry of largest magnitude of each is made positive,
  /// and eigenvalues (all of them, largest first) that are rounding become 0.
  Projection projection(std::vector<double> eigenvalues, std::span<const double> directions,
                        Length length);

 private:
  MatrixView matrix_;
  CentredTable table_;
  RowSpace space_;
  Index n_components_;
  std::vector<double> variances_;
  std::vector<std::string> warnings_;
};

/// Eigenvalues that differ by less count as equal, and 0 if they are not larger: 1e-9 of the
/// largest magnitude (they are sorted).
double eigenvalue_tolerance(std::span<const double> eigenvalues);

}  // namespace tamis
