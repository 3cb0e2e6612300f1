#pragma once

#include <set>

#include "tamis/core/problem.hpp"

namespace tamis {

/// Values of one kind that do not belong into a table: how many, and the first.
struct Offenders {
  Index count = 0;
  Index row = 0;
  Index column = 0;
  double value = 0.0;

  void see(Index i, Index r, double v) {
    if (count++ == 0) *this = {1, i, r, v};
  }
  void merge(const Offenders& other);
};

/// Missing values, and in how many rows and in which columns they are.
struct MissingPlaces {
  Offenders cells = {};
  Index rows = 0;
  std::set<Index> columns = {};
  Index last_row = -1;  ///< that was seen to miss a value

  void see(Index i, Index r, double v);
  /// Of other rows.
  void merge(const MissingPlaces& other);
};

/// What no method can compute with, in a table or in a run of its rows.
struct BadValues {
  MissingPlaces missing = {};
  Offenders not_finite = {};
  Offenders too_large = {};

  void see(Index i, Index r, double v);
  /// Of other rows, in any order: the first is the one with the lowest row, then column.
  void merge(const BadValues& other);
  bool empty() const {
    return missing.cells.count == 0 && not_finite.count == 0 && too_large.count == 0;
  }
};

/// Those of a table, or of a run of rows whose first is row `first_row` of the table.
BadValues find_bad_values(const MatrixView& x, Index first_row = 0);

/// @throws DataError naming the first of them, if there are any
void refuse_bad_values(const BadValues& bad, const Knowledge& known,
                       const std::vector<std::string>& feature_names);

}  // namespace tamis
