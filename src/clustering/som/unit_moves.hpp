#pragma once

#include <span>
#include <vector>

#include "clustering/som/som.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// The rows at each unit of a map, one unit's after the other's.
class RowsByUnit {
 public:
  /// @param best_units of each of the rows
  RowsByUnit(std::span<const Index> rows, std::span<const Index> best_units, Index units);

  Index units() const { return std::ssize(ends_); }
  std::span<const Index> at(Index unit) const;

 private:
  std::vector<Index> ends_;  // of each unit in rows_
  std::vector<Index> rows_;
};

/// The sum of the rows at each unit, and their number, which moves the units as one more
/// column does.
class UnitSums {
 public:
  UnitSums(Index units, Index cols);

  Index cols() const { return cols_; }
  /// The sums of the columns, their number, and zeros up to `width` values.
  double* at(Index unit) { return values_.data() + unit * width_; }
  const double* at(Index unit) const { return values_.data() + unit * width_; }
  Index width() const { return width_; }
  double& count(Index unit) { return at(unit)[cols_]; }

 private:
  Index cols_;
  Index width_;
  Buffer<double> values_;
};

UnitSums sum_by_unit(const MatrixView& x, const RowsByUnit& members);

/// The end of an epoch: moves each unit to the mean of all rows, weighed by the neighbourhood of
/// their units, exp(-delta^2 / (2 radius^2)).
void move_units(const UnitSums& sums, double radius, Som& som);

}  // namespace tamis
