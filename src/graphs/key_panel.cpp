#include "graphs/key_panel.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/lanes.hpp"
#include "core/transpose.hpp"

namespace tamis {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Index kRowsAtOnce = 4;
/// The fewest rows whose keys are computed at once, on CPUs that have registers for them.
constexpr Index kLeastWidth = 16;
static_assert(kColumnGroups % kLeastWidth == 0 && kLeastWidth % kRowsAtOnce == 0);

/// Where the blocks of least width end that have all rows.
Index end_of_rows(const NarrowColumns& columns) {
  return (columns.rows + kLeastWidth - 1) / kLeastWidth * kLeastWidth;
}

/// Keys of kRowsAtOnce rows from `first` with `width` rows from `from`, whose sums stay in
/// registers.
template <Index width, class Cpu>
TAMIS_INLINE void key_block(const NarrowColumns& columns, Index first, Index from, float* keys) {
  using Keys = Lanes<float, width, Cpu>;
  Keys sums[kRowsAtOnce] = {};
  const float* left = columns.block(first) + first % kColumnGroups;
  const float* right = columns.block(from) + from % kColumnGroups;
  for (Index c = 0; c < columns.cols; ++c) {
    const auto others = Keys::load(right);
#pragma GCC unroll 4
    for (Index i = 0; i < kRowsAtOnce; ++i) sums[i] += left[i] * others;
    left += kColumnGroups;
    right += kColumnGroups;
  }
  const auto norms = Keys::load(columns.norms + from);
#pragma GCC unroll 4
  for (Index i = 0; i < kRowsAtOnce; ++i)
    larger(columns.norms[first + i] + (norms - 2.0F * sums[i]), Keys{})
        .store(keys + i * columns.padded_rows + from);
}

/// The same with as many rows from `from` as lie together and are there, at most `width`; returns
/// how many those are.
template <Index width, class Cpu>
TAMIS_INLINE Index key_block_up_to(const NarrowColumns& columns, Index first, Index from, Index end,
                                   float* keys) {
  if constexpr (width > kLeastWidth)
    if (from % width != 0 || from + width / 2 >= end)
      return key_block_up_to<width / 2, Cpu>(columns, first, from, end, keys);
  key_block<width, Cpu>(columns, first, from, keys);
  return width;
}

/// Keys of `height` rows from `first`, the first of which are at `keys`, with those from begin to
/// end - 1, which lie in one block. Half of the registers hold sums.
template <class Cpu>
TAMIS_INLINE void key_blocks(const NarrowColumns& columns, Index first, Index height, Index begin,
                             Index end, float* keys) {
  constexpr Index kVectors = Cpu::kRegisters / (2 * kRowsAtOnce);
  constexpr Index kWidth = kVectors * kRegisterLanes<float, Cpu>;
  for (Index i = 0; i < height; i += kRowsAtOnce)
    for (Index from = begin; from < end;)
      from += key_block_up_to<kWidth, Cpu>(columns, first + i, from, end,
                                           keys + i * columns.padded_rows);
}

/// What is left to do for a row whose keys are there.
template <class Cpu>
TAMIS_INLINE void finish_row(const NarrowColumns& columns, Index row, float* keys, float* minima) {
  keys[row] = kInfinity;
  std::fill(keys + end_of_rows(columns), keys + columns.padded_rows, kInfinity);
  constexpr Index kWidth = 4 * kRegisterLanes<float, Cpu>;
  using Keys = Lanes<float, kWidth, Cpu>;
  for (Index g = 0; g < kColumnGroups; g += kWidth) {
    auto smallest = Keys::load(keys + g);
    for (Index from = kColumnGroups; from < columns.padded_rows; from += kColumnGroups)
      smallest = smaller(Keys::load(keys + from + g), smallest);
    smallest.store(minima + g);
  }
}

template <class Cpu>
TAMIS_INLINE void fill_panel(const NarrowColumns& columns, Index first, Index height, float* keys,
                             float* group_minima) {
  const Index end = end_of_rows(columns);
  for (Index from = 0; from < end; from += kColumnGroups)
    key_blocks<Cpu>(columns, first, height, from, std::min(end, from + kColumnGroups), keys);
  for (Index i = 0; i < height; ++i)
    finish_row<Cpu>(columns, first + i, keys + i * columns.padded_rows,
                    group_minima + i * kColumnGroups);
}

/// Copies the keys of kLeastWidth rows with those after them to where these have theirs.
template <class Cpu>
TAMIS_INLINE void mirror(Index first, Index end, Index stride, float* keys) {
  constexpr Index kSide = kRegisterLanes<float, Cpu>;
  using Vector = typename Lanes<float, kSide, Cpu>::Vector;
  for (Index i = first; i < first + kLeastWidth; i += kSide)
    for (Index j = first + kLeastWidth; j < end; j += kSide) {
      Vector square[kSide];
      load_transposed(keys + i * stride + j, stride, square);
#pragma GCC unroll 16
      for (Index l = 0; l < kSide; ++l)
        std::memcpy(keys + (j + l) * stride + i, &square[l], sizeof(Vector));
    }
}

template <class Cpu>
TAMIS_INLINE void fill_square(const NarrowColumns& columns, float* keys, float* group_minima) {
  const Index end = end_of_rows(columns);
  const Index stride = columns.padded_rows;
  for (Index first = 0; first < end; first += kLeastWidth) {
    for (Index from = first; from < end;) {
      const Index to = std::min(end, (from / kColumnGroups + 1) * kColumnGroups);
      key_blocks<Cpu>(columns, first, kLeastWidth, from, to, keys + first * stride);
      from = to;
    }
    mirror<Cpu>(first, end, stride, keys);
  }
  for (Index row = 0; row < columns.rows; ++row)
    finish_row<Cpu>(columns, row, keys + row * stride, group_minima + row * kColumnGroups);
}

}  // namespace

void fill_key_panel(const NarrowColumns& columns, Index first, Index height, float* keys,
                    float* group_minima) {
  for_this_cpu([=, &columns](auto cpu) TAMIS_KERNEL {
    fill_panel<decltype(cpu)>(columns, first, height, keys, group_minima);
  });
}

void fill_key_square(const NarrowColumns& columns, float* keys, float* group_minima) {
  for_this_cpu([=, &columns](auto cpu)
                   TAMIS_KERNEL { fill_square<decltype(cpu)>(columns, keys, group_minima); });
}

}  // namespace tamis
