#include "redundancy/scaled_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/simd.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kStride = ScaledColumns::kRowsAtOnce;
constexpr Index kColumnsAtOnce = 64;

/// The values as stored, transposed a few rows at a time so that a line of cache is used up.
template <class T>
void transpose(const DenseView<T>& x, std::span<const Index> columns, Index first, Index rows,
               double* out) {
  constexpr Index kTile = 16;
  parallel_for(std::ssize(columns), kColumnsAtOnce, [&](Index begin, Index end) {
    for (Index t = 0; t < rows; t += kTile) {
      const Index tile = std::min(kTile, rows - t);
      for (Index a = begin; a < end; ++a)
        for (Index k = 0; k < tile; ++k)
          out[a * kStride + t + k] = static_cast<double>(x(first + t + k, columns[a]));
    }
  });
}

template <class T>
void transpose(const CsrView<T>& x, std::span<const Index> columns, Index first, Index rows,
               double* out) {
  std::vector<Index> position(x.cols(), -1);
  for (Index a = 0; a < std::ssize(columns); ++a) {
    position[columns[a]] = a;
    std::fill_n(out + a * kStride, rows, 0.0);
  }
  for (Index t = 0; t < rows; ++t)
    for (Index e = 0; e < std::ssize(x.row_columns(first + t)); ++e) {
      const Index a = position[x.row_columns(first + t)[e]];
      if (a >= 0) out[a * kStride + t] = static_cast<double>(x.row_values(first + t)[e]);
    }
}

/// The power of 2 that brings a magnitude near 1.
double unit_factor(double magnitude) {
  constexpr int kLimit = 1000;  // the factor itself must be a normal number
  return magnitude > 0.0 ? std::ldexp(1.0, std::clamp(-std::ilogb(magnitude), -kLimit, kLimit))
                         : 1.0;
}

double dot(const double* a, const double* b, Index n) {
  return for_this_cpu(
      [=](auto) TAMIS_KERNEL { return sum_in_lanes(n, [=](Index t) { return a[t] * b[t]; }); });
}

}  // namespace

ScaledColumns::ScaledColumns(const MatrixView& x, std::span<const Index> columns)
    : x_(x),
      columns_(columns.begin(), columns.end()),
      shift_(columns.size(), 0.0),
      factor_(columns.size(), 1.0),
      sum_(columns.size(), 0.0),
      spread_(columns.size(), 0.0) {
  choose_scales();
  measure();
}

void ScaledColumns::for_each_block(const std::function<void(const Block&)>& body) const {
  Buffer<double> data(count() * kStride);
  for (Index first = 0; first < rows(); first += kStride) {
    const Index height = std::min(kStride, rows() - first);
    read(first, height, data.data());
    body({data.data(), height});
  }
}

void ScaledColumns::read(Index first, Index rows, double* out) const {
  x_.visit([&](const auto& view) { transpose(view, columns_, first, rows, out); });
  parallel_for(count(), kColumnsAtOnce, [&](Index begin, Index end) {
    for (Index a = begin; a < end; ++a)
      for (Index t = 0; t < rows; ++t)
        out[a * kStride + t] = (out[a * kStride + t] - shift_[a]) * factor_[a];
  });
}

void ScaledColumns::choose_scales() {
  struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double sum = 0.0;
    bool is_integer = true;
  };
  std::vector<Extent> extents(count());
  for_each_block([&](const Block& block) {
    parallel_for(count(), kColumnsAtOnce, [&](Index begin, Index end) {
      for (Index a = begin; a < end; ++a)
        for (const double value : std::span(block.column(a), block.rows)) {
          Extent& extent = extents[a];
          extent.low = std::min(extent.low, value);
          extent.high = std::max(extent.high, value);
          extent.sum += value;
          extent.is_integer = extent.is_integer && value == std::rint(value);
        }
    });
  });
  for (Index a = 0; a < count(); ++a) {
    const auto& [low, high, sum, is_integer] = extents[a];
    const double mean = sum / static_cast<double>(rows());
    shift_[a] = low == high ? low : is_integer ? std::rint(mean) : mean;
    factor_[a] = unit_factor(std::max(high - shift_[a], shift_[a] - low));
  }
}

void ScaledColumns::measure() {
  std::vector<double> squares(count(), 0.0);
  for_each_block([&](const Block& block) {
    parallel_for(count(), kColumnsAtOnce, [&](Index begin, Index end) {
      for (Index a = begin; a < end; ++a) {
        for (const double y : std::span(block.column(a), block.rows)) sum_[a] += y;
        squares[a] += dot(block.column(a), block.column(a), block.rows);
      }
    });
  });
  for (Index a = 0; a < count(); ++a)
    spread_[a] = std::max(0.0, static_cast<double>(rows()) * squares[a] - sum_[a] * sum_[a]);
}

std::vector<double> absolute_correlations(const ScaledColumns& columns,
                                          std::span<const PositionPair> pairs) {
  constexpr Index kPairsAtOnce = 256;
  std::vector<double> values(pairs.size(), 0.0);
  columns.for_each_block([&](const ScaledColumns::Block& block) {
    parallel_for(std::ssize(pairs), kPairsAtOnce, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k)
        values[k] += dot(block.column(pairs[k].first), block.column(pairs[k].second), block.rows);
    });
  });
  for (Index k = 0; k < std::ssize(pairs); ++k) {
    const auto [a, b] = pairs[k];
    const double product = static_cast<double>(columns.rows()) * values[k];
    // sqrt(V * V) is V again, so that equal columns have exactly 1.
    values[k] = columns.is_constant(a) || columns.is_constant(b)
                    ? 0.0
                    : std::min(1.0, std::abs(product - columns.sum(a) * columns.sum(b)) /
                                        std::sqrt(columns.spread(a) * columns.spread(b)));
  }
  return values;
}

}  // namespace tamis
