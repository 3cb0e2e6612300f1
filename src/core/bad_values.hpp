#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tamis/core/problem.hpp"
#include "tamis/core/remedy.hpp"

namespace tamis {

/// The largest absolute value of a table or a target: squares of differences, and sums of very many
/// of them, stay finite. Every float32 is smaller.
inline constexpr double kLargestValue = 1e140;

namespace detail {

template <class T, class Visit>
void visit_bad_values(const DenseView<T>& x, const Visit& visit) {
  constexpr auto kLargest =
      static_cast<T>(std::min(kLargestValue, static_cast<double>(std::numeric_limits<T>::max())));
  for (Index i = 0; i < x.rows(); ++i) {
    int is_bad = 0;  // a loop without branches: it vectorises
    for (Index r = 0; r < x.cols(); ++r)
      is_bad |= static_cast<int>(!(std::abs(x(i, r)) <= kLargest));
    if (is_bad == 0) continue;
    for (Index r = 0; r < x.cols(); ++r)
      if (!(std::abs(x(i, r)) <= kLargest)) visit(i, r, static_cast<double>(x(i, r)));
  }
}

template <class T, class Visit>
void visit_bad_values(const CsrView<T>& x, const Visit& visit) {
  for (Index i = 0; i < x.rows(); ++i)
    for (Index s = 0; s < std::ssize(x.row_values(i)); ++s)
      if (const auto value = static_cast<double>(x.row_values(i)[s]);
          !(std::abs(value) <= kLargestValue))
        visit(i, x.row_columns(i)[s], value);
}

}  // namespace detail

/// Calls visit(row, column, value) for every value that no method can compute with: missing (NaN),
/// infinite or too large; row by row.
template <class Visit>
void visit_bad_values(const MatrixView& x, const Visit& visit) {
  x.visit([&](const auto& view) { detail::visit_bad_values(view, visit); });
}

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

/// @param remedy_of_missing what can be done about values that are missing
/// @throws DataError naming the first of them, if there are any
void refuse_bad_values(const BadValues& bad, const Knowledge& known,
                       const std::vector<std::string>& feature_names,
                       Remedy::Action remedy_of_missing = Remedy::Action::treat_missing);

}  // namespace tamis
