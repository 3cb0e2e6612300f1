#include "core/bad_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/counted.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// The largest absolute value of a table: squares of differences, and sums of very many of them,
/// stay finite. Every float32 is smaller.
constexpr double kLargestValue = 1e140;

template <class T>
BadValues find(const DenseView<T>& x, Index first_row) {
  constexpr auto kLargest =
      static_cast<T>(std::min(kLargestValue, static_cast<double>(std::numeric_limits<T>::max())));
  BadValues found;
  for (Index i = 0; i < x.rows(); ++i) {
    int is_bad = 0;  // a loop without branches: it vectorises
    for (Index r = 0; r < x.cols(); ++r)
      is_bad |= static_cast<int>(!(std::abs(x(i, r)) <= kLargest));
    if (is_bad == 0) continue;
    for (Index r = 0; r < x.cols(); ++r) found.see(first_row + i, r, static_cast<double>(x(i, r)));
  }
  return found;
}

template <class T>
BadValues find(const CsrView<T>& x, Index first_row) {
  BadValues found;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index s = 0; s < std::ssize(x.row_values(i)); ++s)
      found.see(first_row + i, x.row_columns(i)[s], static_cast<double>(x.row_values(i)[s]));
  return found;
}

}  // namespace

void Offenders::merge(const Offenders& other) {
  if (other.count == 0) return;
  const Index sum = count + other.count;
  if (count == 0 || std::tie(other.row, other.column) < std::tie(row, column)) *this = other;
  count = sum;
}

void MissingPlaces::see(Index i, Index r, double v) {
  cells.see(i, r, v);
  if (last_row != i) ++rows;
  last_row = i;
  columns.insert(r);
}

void MissingPlaces::merge(const MissingPlaces& other) {
  cells.merge(other.cells);
  rows += other.rows;
  columns.insert(other.columns.begin(), other.columns.end());
}

void BadValues::see(Index i, Index r, double v) {
  if (std::isnan(v))
    missing.see(i, r, v);
  else if (!std::isfinite(v))
    not_finite.see(i, r, v);
  else if (std::abs(v) > kLargestValue)
    too_large.see(i, r, v);
}

void BadValues::merge(const BadValues& other) {
  missing.merge(other.missing);
  not_finite.merge(other.not_finite);
  too_large.merge(other.too_large);
}

BadValues find_bad_values(const MatrixView& x, Index first_row) {
  return x.visit([&](const auto& view) { return find(view, first_row); });
}

void refuse_bad_values(const BadValues& bad, const Knowledge& known,
                       const std::vector<std::string>& feature_names) {
  const auto refuse = [&](const Offenders& those, const std::string& kind,
                          std::string_view remedy) {
    const bool is_one = those.count == 1;
    throw DataError(
        fmt::format("the table has {} value{} that {} {}; the first is {} in row {}, "
                    "column {}: {}",
                    those.count, is_one ? "" : "s", is_one ? "is" : "are", kind, those.value,
                    row_name(known, those.row), column_name(feature_names, those.column), remedy));
  };
  if (const MissingPlaces& missing = bad.missing; missing.cells.count > 0)
    throw DataError(
        fmt::format("the table has {} in {} and {}; the first is in row {}, column {}",
                    counted(missing.cells.count, "missing value"), counted(missing.rows, "row"),
                    counted(std::ssize(missing.columns), "column"),
                    row_name(known, missing.cells.row),
                    column_name(feature_names, missing.cells.column)),
        {Remedy::Action::treat_missing});
  if (bad.not_finite.count > 0)
    refuse(bad.not_finite, "not finite",
           bad.not_finite.count == 1 ? "remove or impute it first" : "remove or impute them first");
  if (bad.too_large.count > 0)
    refuse(bad.too_large, fmt::format("beyond {:g}, too large to be squared", kLargestValue),
           "divide the column by a power of ten, or impute what stands for a missing value");
}

}  // namespace tamis
