#include "clustering/center_keys.hpp"

#include <algorithm>
#include <cstring>

#include "core/lanes.hpp"
#include "core/transpose.hpp"

namespace tamis {
namespace {

/// A product over a longer depth is summed in pieces, which bounds its rounding.
constexpr Index kDepth = 512;
constexpr float kUnitRoundoff = 0x1p-24F;

/// Registers of rows that share the loads of centres.
constexpr Index kVectors = 3;
template <class Cpu>
inline constexpr Index kRowsAtOnce = (kVectors * kRegisterLanes<float, Cpu>);
template <class Cpu>
using RowsAtOnce = Lanes<float, kRowsAtOnce<Cpu>, Cpu>;
static_assert(kKeyRows % kRowsAtOnce<Avx512Cpu> == 0 && kKeyRows % kRowsAtOnce<Avx2Cpu> == 0 &&
              kKeyRows % kRowsAtOnce<BaselineCpu> == 0);
/// Centres that share the loads of rows: three quarters of the registers hold sums.
template <class Cpu>
inline constexpr Index kCentersAtOnce = Cpu::kRegisters * 3 / 4 / kVectors;

/// What rounding may add to the difference of two keys of a row, times |x|^2 + |c|^2. A key has
/// the terms of its longest sum, twice that of each piece, and a few of what is rounded besides.
float relative_error(Index cols) {
  constexpr Index kBesides = 24;
  const Index terms = std::min(kDepth, cols) + 2 * (cols / kDepth) + 2;
  return 2.0F * static_cast<float>(terms + kBesides) * kUnitRoundoff;
}

/// Columns of a row that are rounded at once.
template <class Cpu>
using Shifted = Lanes<double, kKeyColumns, Cpu>;

/// Returns the squared norm. The last columns are rounded together with some before them, which
/// `is_last` leaves out of the norm: numbers of which a register is put together would wait.
template <class Cpu, class T>
TAMIS_INLINE double round_row(const T* row, const KeySpace& space, const double* is_last,
                              float* out) {
  const auto shifted = [&](Index r) TAMIS_KERNEL {
    return (Shifted<Cpu>::load(row + r) - Shifted<Cpu>::load(space.shift + r)) * space.scale;
  };
  Shifted<Cpu> squares{};
  Index r = 0;
  for (; r + kKeyColumns <= space.cols; r += kKeyColumns) {
    const auto values = shifted(r);
    narrowed(values).store(out + r);
    squares += values * values;
  }
  if (r < space.cols) {
    const auto values = shifted(space.cols - kKeyColumns);
    narrowed(values).store(out + space.cols - kKeyColumns);
    squares += Shifted<Cpu>::load(is_last) * (values * values);
  }
  return squares.sum();
}

template <class T>
double round_short_row(const T* row, const KeySpace& space, float* out) {
  double squares = 0.0;
  for (Index r = 0; r < space.cols; ++r) {
    const double value = (static_cast<double>(row[r]) - space.shift[r]) * space.scale;
    out[r] = static_cast<float>(value);
    squares += value * value;
  }
  return squares;
}

template <class T>
void round_all(const T* rows, Index count, const KeySpace& space, float* out, float* norms) {
  double is_last[kKeyColumns] = {};
  std::fill(is_last + kKeyColumns - space.cols % kKeyColumns, is_last + kKeyColumns, 1.0);
  for_this_cpu([=, &is_last](auto cpu) TAMIS_KERNEL {
    const Index stride = padded_for_keys(space.cols);
    for (Index s = 0; s < count; ++s) {
      const T* const row = rows + s * space.cols;
      float* const rounded = out + s * stride;
      Lanes<float, kKeyColumns, decltype(cpu)>{}.store(rounded + stride - kKeyColumns);
      norms[s] = static_cast<float>(space.cols < kKeyColumns
                                        ? round_short_row(row, space, rounded)
                                        : round_row<decltype(cpu)>(row, space, is_last, rounded));
    }
  });
}

/// Writes the keys of some rows and of `centers` centres from the given one on, whose sums stay in
/// registers.
template <Index centers, class Cpu>
TAMIS_INLINE void fill_tile(const float* rows, const KeyCenters& all, Index first, float* keys) {
  using Rows = RowsAtOnce<Cpu>;
  const Index stride = padded_for_keys(all.cols);
  const float* const values = all.values + first * stride;
  keys += first * kKeyRows;
  for (Index from = 0; from < all.cols; from += kDepth) {
    const Index end = std::min(all.cols, from + kDepth);
    Rows sums[centers] = {};
    for (Index r = from; r < end; ++r) {
      const auto row_values = Rows::load(rows + r * kKeyRows);
#pragma GCC unroll 8
      for (Index z = 0; z < centers; ++z) sums[z] += values[z * stride + r] * row_values;
    }
#pragma GCC unroll 8
    for (Index z = 0; z < centers; ++z) {
      float* const out = keys + z * kKeyRows;
      if (from == 0)
        (all.norms[first + z] - 2.0F * sums[z]).store(out);
      else
        (Rows::load(out) - 2.0F * sums[z]).store(out);
    }
  }
}

/// The same for as many of the centres from the given one on as there are, at most `centers`;
/// returns how many those are.
template <Index centers, class Cpu>
TAMIS_INLINE Index fill_tile_up_to(const float* rows, const KeyCenters& all, Index first,
                                   float* keys) {
  if constexpr (centers > 1)
    if (first + centers > all.count)
      return fill_tile_up_to<centers / 2, Cpu>(rows, all, first, keys);
  fill_tile<centers, Cpu>(rows, all, first, keys);
  return centers;
}

/// Looks at the keys of some rows together.
template <class Cpu>
TAMIS_INLINE void look(const float* norms, const KeyCenters& centers, float error,
                       const float* keys, Index first, NearCenters& out) {
  using Rows = RowsAtOnce<Cpu>;
  Rows least = Rows::load(keys);
  for (Index z = 1; z < centers.count; ++z) least = smaller(Rows::load(keys + z * kKeyRows), least);
  // Keys may be too small for their errors to be relative.
  const float underflow = static_cast<float>(centers.cols) * 0x1p-140F;
  const Rows limit = least + (error * (Rows::load(norms) + centers.largest_norm) + underflow);
  Rows count{};
  Rows sum{};
  for (Index z = 0; z < centers.count; ++z) {
    const Rows is_below = ones_where_less(Rows::load(keys + z * kKeyRows), limit);
    count += is_below;
    sum += static_cast<float>(z) * is_below;
  }
  limit.store(out.limits + first);
  count.store(out.counts + first);
  sum.store(out.places + first);
}

}  // namespace

void round_rows(const float* rows, Index count, const KeySpace& space, float* out, float* norms) {
  round_all(rows, count, space, out, norms);
}

void round_rows(const double* rows, Index count, const KeySpace& space, float* out, float* norms) {
  round_all(rows, count, space, out, norms);
}

void lay_side_by_side(const float* rounded, Index cols, float* out) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    constexpr Index kSide = kRegisterLanes<float, decltype(cpu)>;
    using Vector = typename Lanes<float, kSide, decltype(cpu)>::Vector;
    const Index stride = padded_for_keys(cols);
    for (Index r = 0; r < cols; r += kSide)
      for (Index s = 0; s < kKeyRows; s += kSide) {
        Vector square[kSide];
        load_transposed(rounded + s * stride + r, stride, square);
        float* const to = out + r * kKeyRows + s;
        const Index there = std::min(kSide, cols - r);
#pragma GCC unroll 16
        for (Index l = 0; l < kSide; ++l)
          if (l < there) std::memcpy(to + l * kKeyRows, &square[l], sizeof(Vector));
      }
  });
}

void find_near_centers(const KeyRows& rows, const KeyCenters& centers, float* keys,
                       NearCenters& out) {
  const float error = relative_error(centers.cols);
  for_this_cpu([=, &centers, &out](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    for (Index first = 0; first < kKeyRows; first += kRowsAtOnce<Cpu>) {
      for (Index z = 0; z < centers.count;)
        z += fill_tile_up_to<kCentersAtOnce<Cpu>, Cpu>(rows.values + first, centers, z,
                                                       keys + first);
      look<Cpu>(rows.norms + first, centers, error, keys + first, first, out);
    }
  });
}

}  // namespace tamis
