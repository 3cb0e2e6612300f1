#include "methods/relieff/range_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/simd.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns of a tile: a row of it is 4 KB.
constexpr Index kTileColumns = 512;
constexpr Index kTileRows = 32;

/// sums[i * stride + q] += sum of |a_i - b_q| over the columns of two tiles.
void add_distances(const double* a, Index rows_a, const double* b, Index rows_b, Index width,
                   double* sums, Index stride) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index i = 0; i < rows_a; ++i)
      for (Index q = 0; q < rows_b; ++q) {
        const double* const one = a + i * width;
        const double* const other = b + q * width;
        sums[i * stride + q] +=
            sum_in_lanes(width, [&](Index r) { return std::abs(one[r] - other[r]); });
      }
  });
}

void add_weighted_differences(const double* one, const double* other, double weight, Index width,
                              double* sums) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < width; ++r) sums[r] += weight * std::abs(one[r] - other[r]);
  });
}

void scale_row(const double* low, const double* range, Index width, double* row) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index r = 0; r < width; ++r) row[r] = (row[r] - low[r]) / range[r];
  });
}

}  // namespace

RangeRows::RangeRows(const MatrixView& x, std::vector<Index> rows)
    : x_(x),
      rows_(std::move(rows)),
      scaling_(fit_scaling(x, all_indices(x.rows()), ScalingKind::minmax)) {
  for (double& range : scaling_.width)
    if (range == 0.0) range = 1.0;  // a constant becomes 0
}

void RangeRows::copy(Index begin, Index end, Index first_column, Index width, double* out) const {
  copy_columns(x_, std::span(rows_).subspan(begin, end - begin), first_column, width, out);
  for (Index i = 0; i < end - begin; ++i)
    scale_row(scaling_.shift.data() + first_column, scaling_.width.data() + first_column, width,
              out + i * width);
}

std::vector<double> RangeRows::distances(Index begin, Index end) const {
  const Index own_rows = end - begin;
  std::vector<double> sums(own_rows * rows(), 0.0);
  std::vector<double> own(own_rows * kTileColumns);
  for (Index first = 0; first < x_.cols(); first += kTileColumns) {
    const Index width = std::min(kTileColumns, x_.cols() - first);
    parallel_for(own_rows, kTileRows, [&](Index from, Index to) {
      copy(begin + from, begin + to, first, width, own.data() + from * width);
    });
    parallel_for_with(
        rows(), kTileRows, [&] { return std::vector<double>(kTileRows * kTileColumns); },
        [&](std::vector<double>& tile, Index from, Index to) {
          copy(from, to, first, width, tile.data());
          add_distances(own.data(), own_rows, tile.data(), to - from, width, sums.data() + from,
                        rows());
        });
  }
  return sums;
}

void RangeRows::add_differences(Index first, std::span<const std::vector<Partner>> partners,
                                std::span<double> sums) const {
  constexpr Index kTaskValues = Index{1} << 17;  // 1 MB
  const Index columns = std::clamp(kTaskValues / rows(), kLanes<double>, kTileColumns);
  parallel_for_with(
      x_.cols(), columns, [&] { return std::vector<double>(rows() * columns); },
      [&](std::vector<double>& values, Index begin, Index end) {
        const Index width = end - begin;
        copy(0, rows(), begin, width, values.data());
        for (Index s = 0; s < std::ssize(partners); ++s)
          for (const auto& [row, weight] : partners[s])
            add_weighted_differences(values.data() + (first + s) * width,
                                     values.data() + row * width, weight, width,
                                     sums.data() + begin);
      });
}

}  // namespace tamis
