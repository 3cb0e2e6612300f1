#pragma once

#include <optional>
#include <span>
#include <vector>

#include "linalg/principal_axes.hpp"
#include "tamis/clustering/som_options.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// The hexagonal sheet that the units of a map lie on, and how near they came to the rows.
struct SomSheet {
  Index sheet_rows = 0;
  Index sheet_cols = 0;
  double quantization_error = 0.0;  ///< mean distance of a row and its best unit
  std::vector<double> error_by_epoch = {};

  Index n_units() const { return sheet_rows * sheet_cols; }
};

/// A map of units on such a sheet, each with a reference vector.
struct Som : SomSheet {
  std::vector<double> codebook = {};   ///< units x columns: unit (r, c) is row r * sheet_cols + c
  std::vector<Index> best_units = {};  ///< of each given row
  std::vector<std::string> warnings = {};
};

inline constexpr Index kFewestRowsOfAMap = 4;

/// Where a unit lies on the sheet: rows are sqrt(0.75) apart, odd rows shifted by half a unit.
struct SheetPoint {
  double across = 0.0;
  double down = 0.0;
};
SheetPoint sheet_point(const SomSheet& sheet, Index unit);

/// Trains a self-organizing map on the given rows by the batch algorithm: linear start along the
/// two principal axes, a rough phase and a fine phase of shrinking Gaussian neighbourhoods
/// (Kohonen, Self-Organizing Maps; the schedule is that of the SOM Toolbox). In each epoch every
/// row goes to its best unit (ties to the lower unit), and
///   c_z = sum_v h_zv (sum of the rows at v) / sum_v h_zv (number of rows at v).
///
/// Nothing is random. O(epochs x rows x units x columns), the best units by matrix products.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError for fewer than 4 rows
Som train_som(const MatrixView& x, std::span<const Index> rows, const SomOptions& options = {},
              const Progress& progress = {});

/// What it is made of, for rows that are not all in memory: a map before its first epoch, for so
/// many rows that spread along the given axes;
Som begin_som(const PrincipalAxes& axes, Index rows, const SomOptions& options);
/// the radius of the neighbourhood in each epoch, and what that does (som/unit_moves.hpp).
std::vector<double> som_radii(const Som& som, Index rows);

/// The most units that such a map has, and how many epochs so many units take.
Index most_units(Index rows, const SomOptions& options);
std::size_t som_epochs(Index units, Index rows);

/// The U-matrix as one value per unit: mean distance of its vector from those of its neighbours on
/// the sheet. High values are borders between clusters.
std::vector<double> neighbor_distances(const SomSheet& sheet, std::span<const double> codebook,
                                       Index cols);

}  // namespace tamis
