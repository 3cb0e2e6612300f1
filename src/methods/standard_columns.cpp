#include "methods/standard_columns.hpp"

#include <algorithm>
#include <cmath>

#include "core/simd.hpp"
#include "linalg/gemm.hpp"
#include "prepare/scale.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kBlockRows = 64;
constexpr Index kPanelColumns = 256;
constexpr Index kColumnsOfATask = 64;

double dot(const double* a, const double* b, Index n) {
  return for_this_cpu(
      [=](auto) TAMIS_KERNEL { return sum_in_lanes(n, [&](Index i) { return a[i] * b[i]; }); });
}

}  // namespace

StandardColumns::StandardColumns(const MatrixView& x, std::span<const Index> rows,
                                 std::span<const Index> columns, Size size)
    : rows_(std::ssize(rows)), cols_(std::ssize(columns)), values_(rows_ * cols_) {
  Scaling scaling = fit_scaling(x, rows, ScalingKind::standard);
  if (size == Size::unit_length)
    for (double& width : scaling.width) width *= std::sqrt(static_cast<double>(rows_));
  parallel_for(cols_, kColumnsOfATask, [&](Index begin, Index end) {
    const Buffer<double> panel =
        scaled_columns(x, rows, columns.subspan(begin, end - begin), scaling);
    for (Index r = begin; r < end; ++r)
      for (Index i = 0; i < rows_; ++i)
        values_[r * rows_ + i] = panel[i * (end - begin) + r - begin];
  });
}

StandardColumns StandardColumns::only(std::span<const Index> columns) const {
  StandardColumns some(rows_, std::ssize(columns));
  double* out = some.values_.data();
  for (const Index r : columns) out = std::ranges::copy(column(r), out).out;
  return some;
}

Buffer<double> StandardColumns::kernel(std::span<const double> weights) const {
  std::vector<Index> counting;
  for (Index r = 0; r < cols_; ++r)
    if (weights[r] != 0.0) counting.push_back(r);
  Buffer<double> products(rows_ * rows_, 0.0);
  Buffer<double> panel(kPanelColumns * rows_);
  for (Index from = 0; from < std::ssize(counting); from += kPanelColumns) {
    const Index width = std::min(kPanelColumns, std::ssize(counting) - from);
    for (Index c = 0; c < width; ++c)
      for (Index i = 0; i < rows_; ++i)
        panel[c * rows_ + i] =
            weights[counting[from + c]] * values_[counting[from + c] * rows_ + i];
    parallel_for(rows_, kBlockRows, [&](Index begin, Index end) {
      add_transposed_product(panel.data() + begin, rows_, panel.data(), end - begin, width, rows_,
                             products.data() + begin * rows_);
    });
  }
  return products;
}

std::vector<double> StandardColumns::combined(std::span<const double> coefficients) const {
  std::vector<double> sums(cols_);
  parallel_for(cols_, kColumnsOfATask, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r)
      sums[r] = dot(values_.data() + r * rows_, coefficients.data(), rows_);
  });
  return sums;
}

}  // namespace tamis
