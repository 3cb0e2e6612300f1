#include "cli/commands/scale.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis::cli {
namespace {

/// x becomes (x - shift) / divisor.
struct ColumnScales {
  std::vector<double> shift;
  std::vector<double> divisor;
};

ColumnScales standard_scales(const MatrixView& x) {
  ColumnMoments columns = moments(x);
  for (double& squares : columns.squares) squares = std::sqrt(squares / columns.total_weight);
  return {std::move(columns.mean), std::move(columns.squares)};
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
void see_all(const DenseView<T>& x, Extremes& extremes) {
  for (Index i = 0; i < x.rows(); ++i)
    for (Index r = 0; r < x.cols(); ++r) extremes.see(r, static_cast<double>(x(i, r)));
}

template <class T>
void see_all(const CsrView<T>& x, Extremes& extremes) {
  std::vector<Index> stored(static_cast<std::size_t>(x.cols()), 0);
  for (Index i = 0; i < x.rows(); ++i)
    for (std::size_t s = 0; s < x.row_columns(i).size(); ++s) {
      ++stored[x.row_columns(i)[s]];
      extremes.see(x.row_columns(i)[s], static_cast<double>(x.row_values(i)[s]));
    }
  for (Index r = 0; r < x.cols(); ++r)
    if (stored[r] < x.rows()) extremes.see(r, 0.0);
}

ColumnScales minmax_scales(const MatrixView& x) {
  const auto columns = static_cast<std::size_t>(x.cols());
  Extremes extremes{std::vector(columns, HUGE_VAL), std::vector(columns, -HUGE_VAL)};
  x.visit([&](const auto& view) { see_all(view, extremes); });
  for (std::size_t r = 0; r < columns; ++r) extremes.high[r] -= extremes.low[r];
  return {std::move(extremes.low), std::move(extremes.high)};
}

template <class T>
void apply(DenseTable<T>& table, const ColumnScales& scales) {
  for (Index i = 0; i < table.rows; ++i)
    for (Index r = 0; r < table.cols; ++r) {
      T& value = table.values[i * table.cols + r];
      value = static_cast<T>((static_cast<double>(value) - scales.shift[r]) / scales.divisor[r]);
    }
}

template <class T>
void apply(CsrTable<T>& table, const ColumnScales& scales) {
  for (std::size_t s = 0; s < table.values.size(); ++s)
    table.values[s] =
        static_cast<T>(static_cast<double>(table.values[s]) / scales.divisor[table.columns[s]]);
}

}  // namespace

void scale_columns(Table& table, std::string_view how) {
  if (how == "none") return;
  const MatrixView x = table.view();
  ColumnScales scales = how == "standard" ? standard_scales(x) : minmax_scales(x);
  const std::vector<bool> varies = varying_columns(x);
  for (std::size_t r = 0; r < varies.size(); ++r)
    if (!varies[r] || !(scales.divisor[r] > 0.0)) {
      scales.shift[r] = 0.0;
      scales.divisor[r] = 1.0;
    }
  std::visit([&](auto& data) { apply(data, scales); }, table.data);
}

}  // namespace tamis::cli
