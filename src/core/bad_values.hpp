#pragma once

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

/// What no method can compute with, in a table or in a run of its rows.
struct BadValues {
  Offenders not_finite = {};
  Offenders too_large = {};

  void see(Index i, Index r, double v);
  /// In any order: the first is the one with the lowest row, then column.
  void merge(const BadValues& other);
  bool empty() const { return not_finite.count == 0 && too_large.count == 0; }
};

/// Those of a table, or of a run of rows whose first is row `first_row` of the table.
BadValues find_bad_values(const MatrixView& x, Index first_row = 0);

/// @throws DataError naming the first of them, if there are any
void refuse_bad_values(const BadValues& bad, const Knowledge& known,
                       const std::vector<std::string>& feature_names);

}  // namespace tamis
