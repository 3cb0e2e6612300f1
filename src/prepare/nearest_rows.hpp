#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

/// What stands in for the missing values of a row, in the order of their columns.
using Fill = std::vector<double>;

/// Finds the rows that are nearest to incomplete ones. Tiles of rows are compared, a few columns at
/// a time: neither whole rows as doubles nor all distances are ever in memory.
class NearestRows {
 public:
  /// @param rows that may be neighbours, and no others
  /// @param scales what differences of each column are multiplied by; NaN: the column does not
  /// count
  /// @param otherwise the fill of each column, if no neighbour has a value there
  NearestRows(const MatrixView& x, std::span<const Index> rows, std::vector<double> scales,
              std::vector<double> otherwise)
      : x_(x), rows_(rows), scales_(std::move(scales)), otherwise_(std::move(otherwise)) {}

  /// How many incomplete rows to ask for at once.
  Index rows_at_once() const;

  std::vector<Fill> fills_of(std::span<const Index> incomplete) const;

 private:
  std::vector<double> distances_of(std::span<const Index> incomplete) const;
  Fill fill_of(Index row, std::span<const double> distances) const;

  const MatrixView& x_;
  std::span<const Index> rows_;
  std::vector<double> scales_;
  std::vector<double> otherwise_;
};

}  // namespace tamis
