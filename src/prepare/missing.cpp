#include "prepare/missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/bad_values.hpp"
#include "core/counted.hpp"
#include "prepare/nearest_rows.hpp"
#include "prepare/subproblem.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/fields.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// The values that a column has in the given rows.
std::vector<double> known_values(const MatrixView& x, std::span<const Index> rows, Index column) {
  std::vector<double> values(rows.size());
  copy_columns(x, rows, column, 1, values.data());
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0.0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return values[middle - 1] + (values[middle] - values[middle - 1]) / 2.0;
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return values.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(values.size()));
}

/// One number for each column, of the values that it has in the given rows.
template <class Figure>
std::vector<double> by_column(const MatrixView& x, std::span<const Index> rows,
                              std::span<const Index> columns, const Figure& figure) {
  std::vector<double> figures(x.cols(), 0.0);
  parallel_for(std::ssize(columns), 1, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s)
      figures[columns[s]] = figure(known_values(x, rows, columns[s]));
  });
  return figures;
}

/// What differences of each column are multiplied by: one over its deviation, or NaN if it does not
/// vary.
std::vector<double> scales_of(const MatrixView& x, std::span<const Index> rows) {
  std::vector<double> scales = by_column(x, rows, all_indices(x.cols()), deviation_of);
  for (double& scale : scales)
    scale = scale > 0.0 ? 1.0 / scale : std::numeric_limits<double>::quiet_NaN();
  return scales;
}

/// Puts next(column) in the place of each missing value of a row, in the order of columns.
template <class T, class Next>
void put(DenseTable<T>& table, Index row, Next&& next) {
  for (Index r = 0; r < table.cols; ++r)
    if (T& value = table.values[row * table.cols + r]; std::isnan(value))
      value = static_cast<T>(next(r));
}

template <class T, class Next>
void put(CsrTable<T>& table, Index row, Next&& next) {
  for (Index e = table.offsets[row]; e < table.offsets[row + 1]; ++e)
    if (std::isnan(table.values[e])) table.values[e] = static_cast<T>(next(table.columns[e]));
}

template <class Next>
void put(OwnedTable& table, Index row, Next&& next) {
  std::visit([&](auto& owned) { put(owned, row, next); }, table);
}

/// First finds all fills, then puts them: neighbours must not see what was filled.
void fill_by_nearest(OwnedTable& table, std::span<const Index> rows, const MissingValues& missing,
                     const Progress& progress) {
  const MatrixView x = view_of(table);
  const NearestRows nearest(x, rows, scales_of(x, rows),
                            by_column(x, rows, missing.columns, mean_of));
  const std::span<const Index> incomplete = missing.rows;
  Progress::Stage stage(progress, "filling in missing values", std::ssize(incomplete));
  std::vector<Fill> fills;
  while (fills.size() < incomplete.size()) {
    const auto rest = incomplete.subspan(fills.size());
    const auto block =
        rest.first(std::min(rest.size(), static_cast<std::size_t>(nearest.rows_at_once())));
    std::ranges::move(nearest.fills_of(block), std::back_inserter(fills));
    stage.advance(std::ssize(block));
  }
  for (std::size_t s = 0; s < fills.size(); ++s)
    put(table, incomplete[s], [fill = fills[s].begin()](Index) mutable { return *fill++; });
}

std::string_view fate(Missing kind) {
  switch (kind) {
    case Missing::refuse:
    case Missing::rows:
    case Missing::columns:
      break;
    case Missing::median:
      return "filled in with the median of the column";
    case Missing::mean:
      return "filled in with the mean of the column";
    case Missing::nearest:
      return "filled in with the mean of the column over the 5 nearest rows";
  }
  return "refused";
}

/// "column 3 (height) has", "4 columns, among them 3 (height), have".
std::string empty_ones(const std::vector<Index>& columns,
                       const std::vector<std::string>& feature_names) {
  const std::string first = column_name(feature_names, columns.front());
  if (columns.size() == 1) return fmt::format("column {} has", first);
  return fmt::format("{} columns, among them {}, have", columns.size(), first);
}

}  // namespace

MissingValues find_missing(const MatrixView& x) {
  MissingPlaces places;
  MissingValues found;
  std::vector<Index> counts(x.cols(), 0);
  visit_bad_values(x, [&](Index row, Index column, double value) {
    if (!std::isnan(value)) return;
    places.see(row, column, value);
    if (places.rows > std::ssize(found.rows)) found.rows.push_back(row);
    ++counts[column];
  });
  found.cells = places.cells.count;
  found.columns.assign(places.columns.begin(), places.columns.end());
  for (const Index r : found.columns)
    if (counts[r] == x.rows()) found.empty_columns.push_back(r);
  return found;
}

void fill_missing(OwnedTable& table, std::span<const Index> rows, Missing kind,
                  const Progress& progress) {
  if (!fills_in(kind))
    throw InvalidArgument(fmt::format("missing = {} fills nothing in", word_of(kind)));
  if (rows.empty()) throw InvalidArgument("filling in needs at least one row to learn from");
  const MatrixView x = view_of(table);
  const MissingValues missing = find_missing(x);
  if (missing.cells == 0) return;
  if (kind == Missing::nearest) return fill_by_nearest(table, rows, missing, progress);
  const std::vector<double> fill = kind == Missing::mean
                                       ? by_column(x, rows, missing.columns, mean_of)
                                       : by_column(x, rows, missing.columns, median_of);
  for (const Index row : missing.rows) put(table, row, [&](Index column) { return fill[column]; });
}

OwnedProblem imputed(const Problem& whole, std::span<const Index> rows, Missing kind,
                     const Progress& progress) {
  OwnedTable table = gathered(whole.matrix, all_indices(whole.rows()), all_indices(whole.cols()));
  fill_missing(table, rows, kind, progress);
  return {std::move(table), whole.feature_names, whole.known, whole.feature_groups};
}

CompletePart complete_part(const MissingValues& missing, Missing kind, const MatrixView& x) {
  CompletePart part{.rows = all_indices(x.rows()), .columns = all_indices(x.cols())};
  if (kind == Missing::rows) part.rows = all_but(missing.rows, x.rows());
  if (kind == Missing::columns) part.columns = all_but(missing.columns, x.cols());
  if (part.rows.empty() || part.columns.empty())
    throw DataError(fmt::format("every {} has a missing value: without them none is left",
                                part.rows.empty() ? "row" : "column"));
  return part;
}

std::string described(const MissingValues& missing, Missing kind,
                      const std::vector<std::string>& feature_names) {
  const std::string cells = counted(missing.cells, "missing value");
  const std::string rows = counted(std::ssize(missing.rows), "row");
  const std::string columns = counted(std::ssize(missing.columns), "column");
  if (kind == Missing::rows || kind == Missing::columns)
    return fmt::format("{} with {} left out", kind == Missing::rows ? rows : columns, cells);
  std::string text = fmt::format("{} in {} and {} {} {}", cells, rows, columns,
                                 missing.cells == 1 ? "is" : "are", fate(kind));
  if (!missing.empty_columns.empty())
    text += fmt::format("; {} no value at all and {} 0",
                        empty_ones(missing.empty_columns, feature_names),
                        missing.empty_columns.size() == 1 ? "becomes" : "become");
  return text;
}

}  // namespace tamis
