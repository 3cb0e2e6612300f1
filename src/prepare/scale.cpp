#include "prepare/scale.hpp"

#include <algorithm>
#include <cmath>

#include "core/listed_columns.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kBlockRows = 64;

void fit_standard(const MatrixView& x, std::span<const Index> rows, Scaling& scaling) {
  ColumnMoments moments = weighted_moments(x, rows, std::vector<double>(rows.size(), 1.0));
  scaling.shift = std::move(moments.mean);
  for (Index r = 0; r < x.cols(); ++r)
    scaling.width[r] = std::sqrt(moments.squares[r] / moments.total_weight);
}

struct Extremes {
  std::vector<double> low;
  std::vector<double> high;
  void see(Index column, double value) {
    low[column] = std::min(low[column], value);
    high[column] = std::max(high[column], value);
  }
};

template <class T>
void see_rows(const DenseView<T>& x, std::span<const Index> rows, Extremes& extremes) {
  for (const Index i : rows)
    for (Index r = 0; r < x.cols(); ++r) extremes.see(r, static_cast<double>(x(i, r)));
}

template <class T>
void see_rows(const CsrView<T>& x, std::span<const Index> rows, Extremes& extremes) {
  std::vector<Index> stored(x.cols(), 0);
  for (const Index i : rows)
    for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e) {
      ++stored[x.row_columns(i)[e]];
      extremes.see(x.row_columns(i)[e], static_cast<double>(x.row_values(i)[e]));
    }
  for (Index r = 0; r < x.cols(); ++r)
    if (stored[r] < std::ssize(rows)) extremes.see(r, 0.0);
}

void fit_minmax(const MatrixView& x, std::span<const Index> rows, Scaling& scaling) {
  Extremes extremes{std::vector<double>(x.cols(), HUGE_VAL),
                    std::vector<double>(x.cols(), -HUGE_VAL)};
  x.visit([&](const auto& view) { see_rows(view, rows, extremes); });
  for (Index r = 0; r < x.cols(); ++r) scaling.width[r] = extremes.high[r] - extremes.low[r];
  scaling.shift = std::move(extremes.low);
}

double scaled_value(double value, Index r, const Scaling& scaling) {
  return scaling.width[r] > 0.0 ? (value - scaling.shift[r]) / scaling.width[r] : 0.0;
}

template <class T>
void scale_values(DenseTable<T>& table, const Scaling& scaling) {
  for (Index i = 0; i < table.rows; ++i)
    for (Index r = 0; r < table.cols; ++r) {
      if (!(scaling.width[r] > 0.0)) continue;
      T& value = table.values[i * table.cols + r];
      value = static_cast<T>((static_cast<double>(value) - scaling.shift[r]) / scaling.width[r]);
    }
}

template <class T>
void scale_values(CsrTable<T>& table, const Scaling& scaling) {
  for (std::size_t s = 0; s < table.values.size(); ++s) {
    const double width = scaling.width[table.columns[s]];
    if (width > 0.0) table.values[s] = static_cast<T>(static_cast<double>(table.values[s]) / width);
  }
}

}  // namespace

Scaling fit_scaling(const MatrixView& x, std::span<const Index> rows, ScalingKind kind) {
  if (rows.empty()) throw InvalidArgument("scaling needs at least one row to learn from");
  Scaling scaling{.shift = std::vector<double>(x.cols(), 0.0),
                  .width = std::vector<double>(x.cols(), 1.0)};
  if (kind == ScalingKind::none) return scaling;
  if (kind == ScalingKind::standard)
    fit_standard(x, rows, scaling);
  else
    fit_minmax(x, rows, scaling);
  // Exact: the computed deviation of a column of 0.1 is not 0.
  const std::vector<bool> varies = varying_columns(x, rows);
  for (Index r = 0; r < x.cols(); ++r)
    if (!varies[r]) scaling.width[r] = 0.0;
  return scaling;
}

Buffer<double> scaled_columns(const MatrixView& x, std::span<const Index> rows,
                              std::span<const Index> columns, const Scaling& scaling) {
  const Index width = std::ssize(columns);
  Buffer<double> out(std::ssize(rows) * width);
  parallel_for(std::ssize(rows), kBlockRows, [&](Index begin, Index end) {
    copy_listed_columns(x, rows.subspan(begin, end - begin), columns, out.data() + begin * width);
    for (Index s = begin; s < end; ++s)
      for (Index c = 0; c < width; ++c) {
        double& value = out[s * width + c];
        value = scaled_value(value, columns[c], scaling);
      }
  });
  return out;
}

void scale_columns(OwnedTable& table, const Scaling& scaling) {
  std::visit([&](auto& owned) { scale_values(owned, scaling); }, table);
}

OwnedProblem scaled(const Problem& whole, std::span<const Index> rows, const Scaling& scaling) {
  DenseTable<double> table{.rows = std::ssize(rows), .cols = whole.cols()};
  table.values = scaled_columns(whole.matrix, rows, all_indices(whole.cols()), scaling);
  return {std::move(table), whole.feature_names, known_about(whole.known, rows),
          whole.feature_groups};
}

}  // namespace tamis
