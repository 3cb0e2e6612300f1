#include "core/bad_values.hpp"

#include <fmt/format.h>

#include <tuple>

#include "core/counted.hpp"
#include "tamis/core/error.hpp"

namespace tamis {

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
  BadValues found;
  visit_bad_values(
      x, [&](Index row, Index column, double value) { found.see(first_row + row, column, value); });
  return found;
}

void refuse_bad_values(const BadValues& bad, const Knowledge& known,
                       const std::vector<std::string>& feature_names,
                       Remedy::Action remedy_of_missing) {
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
        {remedy_of_missing});
  if (bad.not_finite.count > 0)
    refuse(bad.not_finite, "not finite",
           bad.not_finite.count == 1 ? "remove or impute it first" : "remove or impute them first");
  if (bad.too_large.count > 0)
    refuse(bad.too_large, fmt::format("beyond {:g}, too large to be squared", kLargestValue),
           "divide the column by a power of ten, or impute what stands for a missing value");
}

}  // namespace tamis
