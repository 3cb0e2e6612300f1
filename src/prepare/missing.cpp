#include "prepare/missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/counted.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/fields.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr std::size_t kNeighbors = 5;

template <class T, class Visit>
void visit_missing(const DenseView<T>& x, const Visit& visit) {
  for (Index i = 0; i < x.rows(); ++i)
    for (Index r = 0; r < x.cols(); ++r)
      if (std::isnan(x(i, r))) visit(i, r);
}

template <class T, class Visit>
void visit_missing(const CsrView<T>& x, const Visit& visit) {
  for (Index i = 0; i < x.rows(); ++i)
    for (Index e = 0; e < std::ssize(x.row_values(i)); ++e)
      if (std::isnan(x.row_values(i)[e])) visit(i, x.row_columns(i)[e]);
}

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

/// What stands in for each missing value of a row: one per column, used where it is missing.
class NearestRows {
 public:
  NearestRows(const MatrixView& x, std::span<const Index> rows, std::vector<double> otherwise)
      : x_(x),
        rows_(rows),
        otherwise_(std::move(otherwise)),
        deviations_(by_column(x, rows, all_indices(x.cols()), deviation_of)) {}

  std::vector<double> fill_of(Index row) const {
    const std::vector<double> own = values_of(row);
    std::vector<std::pair<double, Index>> near;
    for (const Index other : rows_)
      if (other != row)
        if (const auto distance = distance_between(own, values_of(other)))
          near.emplace_back(*distance, other);
    std::ranges::sort(near);
    std::vector<double> fill = otherwise_;
    for (Index r = 0; r < x_.cols(); ++r)
      if (std::isnan(own[r])) fill[r] = mean_of_nearest(near, r).value_or(otherwise_[r]);
    return fill;
  }

 private:
  std::vector<double> values_of(Index row) const {
    std::vector<double> values(x_.cols());
    copy_columns(x_, std::array{row}, 0, x_.cols(), values.data());
    return values;
  }

  std::optional<double> distance_between(const std::vector<double>& a,
                                         const std::vector<double>& b) const {
    double sum = 0.0;
    Index shared = 0;
    for (std::size_t r = 0; r < a.size(); ++r) {
      if (std::isnan(a[r]) || std::isnan(b[r]) || !(deviations_[r] > 0.0)) continue;
      const double difference = (a[r] - b[r]) / deviations_[r];
      sum += difference * difference;
      ++shared;
    }
    if (shared == 0) return std::nullopt;
    return sum / static_cast<double>(shared);
  }

  std::optional<double> mean_of_nearest(const std::vector<std::pair<double, Index>>& near,
                                        Index column) const {
    std::vector<double> values;
    for (const auto& [distance, row] : near) {
      if (values.size() == kNeighbors) break;
      double value = 0.0;
      copy_columns(x_, std::array{row}, column, 1, &value);
      if (!std::isnan(value)) values.push_back(value);
    }
    return values.empty() ? std::nullopt : std::optional(mean_of(values));
  }

  const MatrixView& x_;
  std::span<const Index> rows_;
  std::vector<double> otherwise_;
  std::vector<double> deviations_;
};

template <class T>
void put(DenseTable<T>& table, Index row, const std::vector<double>& fill) {
  for (Index r = 0; r < table.cols; ++r)
    if (T& value = table.values[row * table.cols + r]; std::isnan(value))
      value = static_cast<T>(fill[r]);
}

template <class T>
void put(CsrTable<T>& table, Index row, const std::vector<double>& fill) {
  for (Index e = table.offsets[row]; e < table.offsets[row + 1]; ++e)
    if (std::isnan(table.values[e])) table.values[e] = static_cast<T>(fill[table.columns[e]]);
}

void put(OwnedTable& table, Index row, const std::vector<double>& fill) {
  std::visit([&](auto& owned) { put(owned, row, fill); }, table);
}

/// First finds all fills, then puts them: neighbours must not see what was filled.
void fill_by_nearest(OwnedTable& table, std::span<const Index> rows, const MissingValues& missing) {
  const MatrixView x = view_of(table);
  const NearestRows nearest(x, rows, by_column(x, rows, missing.columns, mean_of));
  std::vector<std::vector<double>> fills(missing.rows.size());
  parallel_for(std::ssize(missing.rows), 1, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) fills[s] = nearest.fill_of(missing.rows[s]);
  });
  for (std::size_t s = 0; s < fills.size(); ++s) put(table, missing.rows[s], fills[s]);
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

}  // namespace

MissingValues find_missing(const MatrixView& x) {
  MissingValues found;
  std::vector<bool> has_missing(x.cols(), false);
  x.visit([&](const auto& view) {
    visit_missing(view, [&](Index row, Index column) {
      ++found.cells;
      if (found.rows.empty() || found.rows.back() != row) found.rows.push_back(row);
      has_missing[column] = true;
    });
  });
  for (Index r = 0; r < x.cols(); ++r)
    if (has_missing[r]) found.columns.push_back(r);
  return found;
}

void fill_missing(OwnedTable& table, std::span<const Index> rows, Missing kind) {
  if (!fills_in(kind))
    throw InvalidArgument(fmt::format("missing = {} fills nothing in", word_of(kind)));
  if (rows.empty()) throw InvalidArgument("filling in needs at least one row to learn from");
  const MatrixView x = view_of(table);
  const MissingValues missing = find_missing(x);
  if (missing.cells == 0) return;
  if (kind == Missing::nearest) return fill_by_nearest(table, rows, missing);
  const std::vector<double> fill = kind == Missing::mean
                                       ? by_column(x, rows, missing.columns, mean_of)
                                       : by_column(x, rows, missing.columns, median_of);
  for (const Index row : missing.rows) put(table, row, fill);
}

OwnedProblem imputed(const Problem& whole, std::span<const Index> rows, Missing kind) {
  OwnedTable table = gathered(whole.matrix, all_indices(whole.rows()), all_indices(whole.cols()));
  fill_missing(table, rows, kind);
  return {std::move(table), whole.feature_names, whole.known};
}

std::string described(const MissingValues& missing, Missing kind) {
  const std::string cells = counted(missing.cells, "missing value");
  const std::string rows = counted(std::ssize(missing.rows), "row");
  const std::string columns = counted(std::ssize(missing.columns), "column");
  if (kind == Missing::rows || kind == Missing::columns)
    return fmt::format("{} with {} left out", kind == Missing::rows ? rows : columns, cells);
  return fmt::format("{} in {} and {} {} {}", cells, rows, columns,
                     missing.cells == 1 ? "is" : "are", fate(kind));
}

}  // namespace tamis
