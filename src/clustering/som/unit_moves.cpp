#include "clustering/som/unit_moves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/cpu.hpp"
#include "linalg/ordered_product.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Adds some rows one after the other, but in one loop.
template <Index count, class T>
TAMIS_INLINE void add_rows(const DenseView<T>& x, const Index* rows, double* sums) {
  const T* of[count];
  for (Index s = 0; s < count; ++s) of[s] = x.row(rows[s]);
  const Index cols = x.cols();
  for (Index r = 0; r < cols; ++r) {
    double sum = sums[r];
#pragma GCC unroll 4
    for (Index s = 0; s < count; ++s) sum += static_cast<double>(of[s][r]);
    sums[r] = sum;
  }
}

/// Sums the rows of some units; those of a small map have few.
template <class T>
void add_members(const DenseView<T>& x, const RowsByUnit& members, Index begin, Index end,
                 UnitSums& out) {
  for_this_cpu([=, &x, &members, &out](auto) TAMIS_KERNEL {
    for (Index v = begin; v < end; ++v) {
      const std::span<const Index> rows = members.at(v);
      double* const sums = out.at(v);
      const Index* row = rows.data();
      Index left = std::ssize(rows);
      for (; left >= 4; left -= 4, row += 4) add_rows<4>(x, row, sums);
      if (left == 3) add_rows<3>(x, row, sums);
      if (left == 2) add_rows<2>(x, row, sums);
      if (left == 1) add_rows<1>(x, row, sums);
    }
  });
}

template <class T>
void add_members(const CsrView<T>& x, const RowsByUnit& members, Index begin, Index end,
                 UnitSums& out) {
  for (Index v = begin; v < end; ++v)
    for (const Index i : members.at(v))
      for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e)
        out.at(v)[x.row_columns(i)[e]] += static_cast<double>(x.row_values(i)[e]);
}

/// exp(-delta^2 / (2 radius^2)) of any two units of a sheet. What they are apart down and across it
/// are factors of their own:
///   sum_v h_zv s_v = sum_c' across(z, c') sum_r' down(z, r') s_r'c',
/// with even and odd rows r' by themselves, as the latter are shifted. Of n units that takes some
/// n^(3/2) products in place of n^2.
class Neighborhood {
 public:
  Neighborhood(const SomSheet& sheet, double radius)
      : rows_(sheet.sheet_rows), cols_(sheet.sheet_cols), parities_(std::min<Index>(2, rows_)) {
    const auto influence = [=](double delta) {
      return std::exp(-(delta * delta) / (2.0 * radius * radius));
    };
    std::vector<double> by_rows(rows_);
    for (Index rows = 0; rows < rows_; ++rows)
      by_rows[rows] = influence(sheet_point(sheet, rows * cols_).down);
    std::vector<double> by_halves(2 * cols_);
    for (Index halves = 0; halves < 2 * cols_; ++halves)
      by_halves[halves] = influence(static_cast<double>(halves) / 2.0);
    // From rows of parity p down, and for units of such rows from those of parity q across.
    for (Index p = 0; p < parities_; ++p) {
      down_[p].resize(rows_ * rows_of(p));
      double* down = down_[p].data();
      for (Index r = 0; r < rows_; ++r)
        for (Index other = p; other < rows_; other += 2) *down++ = by_rows[std::abs(r - other)];
      across_[p].resize(cols_ * parities_ * cols_);
      double* across = across_[p].data();
      for (Index c = 0; c < cols_; ++c)
        for (Index q = 0; q < parities_; ++q)
          for (Index other = 0; other < cols_; ++other)
            *across++ = by_halves[std::abs(2 * (c - other) + p - q)];
    }
  }

  /// Numbers that down() writes for each row of the sheet.
  Index down_size(const UnitSums& sums) const { return parities_ * cols_ * sums.width(); }

  /// Sums weighed by how far they are down from some rows of the sheet: for each of them those of
  /// its even rows, then of its odd ones (units of a row x width).
  void down(const UnitSums& sums, Index begin, Index end, double* out) const {
    const Index row_size = cols_ * sums.width();
    for (Index p = 0; p < parities_; ++p) {
      const Index depth = rows_of(p);
      multiply_in_order({down_[p].data() + begin * depth, depth},
                        {sums.at(p * cols_), 2 * row_size}, end - begin, depth, row_size,
                        out + p * row_size, down_size(sums));
    }
  }
  /// The same weighed across for the units of one row (units of a row x width).
  void across(Index row, const double* down, Index width, double* out) const {
    const Index depth = parities_ * cols_;
    multiply_in_order({across_[row % 2].data(), depth}, {down, width}, cols_, depth, width, out,
                      width);
  }

 private:
  Index rows_of(Index parity) const { return (rows_ - parity + 1) / 2; }

  Index rows_;
  Index cols_;
  Index parities_;                             // that rows of the sheet have
  std::array<std::vector<double>, 2> down_;    // from even and odd rows: rows x those
  std::array<std::vector<double>, 2> across_;  // for even and odd rows: units x parities x units
};

/// Moves `units` units to their weighted sums, divided by the weight that follows these. It is 0 if
/// no row is near enough for its influence to be a number.
void divide_by_weights(const double* sums, Index width, Index cols, Index units, double* out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index z = 0; z < units; ++z) {
      const double weight = sums[z * width + cols];
      if (weight == 0.0) continue;
      for (Index f = 0; f < cols; ++f) out[z * cols + f] = sums[z * width + f] / weight;
    }
  });
}

}  // namespace

UnitSums::UnitSums(Index units, Index cols)
    : cols_(cols),
      width_((cols + kOrderedColumns) / kOrderedColumns * kOrderedColumns),
      values_(units * width_, 0.0) {}

RowsByUnit::RowsByUnit(std::span<const Index> rows, std::span<const Index> best_units, Index units)
    : ends_(units, 0), rows_(rows.size()) {
  for (const Index unit : best_units) ++ends_[unit];
  std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), Index{0});
  for (std::size_t s = 0; s < rows.size(); ++s) rows_[ends_[best_units[s]]++] = rows[s];
}

std::span<const Index> RowsByUnit::at(Index unit) const {
  const Index begin = unit == 0 ? 0 : ends_[unit - 1];
  return std::span(rows_).subspan(begin, ends_[unit] - begin);
}

UnitSums sum_by_unit(const MatrixView& x, const RowsByUnit& members) {
  constexpr Index kUnitsAtOnce = 64;
  const Index units = members.units();
  UnitSums out(units, x.cols());
  parallel_for(units, kUnitsAtOnce, [&](Index begin, Index end) {
    for (Index v = begin; v < end; ++v) out.count(v) = static_cast<double>(members.at(v).size());
    x.visit([&](const auto& view) { add_members(view, members, begin, end, out); });
  });
  return out;
}

void move_units(const UnitSums& sums, double radius, Som& som) {
  constexpr Index kRowsAtOnce = 4;
  struct Scratch {
    Buffer<double> down;
    Buffer<double> across;
  };
  const Neighborhood neighborhood(som, radius);
  const Index size = neighborhood.down_size(sums);
  parallel_for_with(
      som.sheet_rows, kRowsAtOnce,
      [&] {
        return Scratch{Buffer<double>(std::min(kRowsAtOnce, som.sheet_rows) * size),
                       Buffer<double>(som.sheet_cols * sums.width())};
      },
      [&](Scratch& scratch, Index begin, Index end) {
        neighborhood.down(sums, begin, end, scratch.down.data());
        for (Index r = begin; r < end; ++r) {
          neighborhood.across(r, &scratch.down[(r - begin) * size], sums.width(),
                              scratch.across.data());
          divide_by_weights(scratch.across.data(), sums.width(), sums.cols(), som.sheet_cols,
                            &som.codebook[r * som.sheet_cols * sums.cols()]);
        }
      });
}

}  // namespace tamis
