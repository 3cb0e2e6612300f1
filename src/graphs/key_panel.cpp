#include "graphs/key_panel.hpp"

#include <algorithm>
#include <limits>

#include "core/lanes.hpp"

namespace tamis {
namespace {

constexpr Index kRowsAtOnce = 4;
/// The fewest rows whose keys are computed at once.
constexpr Index kLeastWidth = 16;

/// Keys of kRowsAtOnce rows from `first` with `width` rows from `from`, whose sums stay in
/// registers.
template <Index width, class Cpu>
TAMIS_INLINE void key_block(const NarrowColumns& columns, Index first, Index from, float* keys,
                            float* minima) {
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
  for (Index i = 0; i < kRowsAtOnce; ++i) {
    const Keys key = larger(columns.norms[first + i] + (norms - 2.0F * sums[i]), Keys{});
    key.store(keys + i * columns.padded_rows + from);
    smaller(key, Keys::load(minima + i * kColumnGroups)).store(minima + i * kColumnGroups);
  }
}

/// Keys with `width` rows, or with the first of them that there are: fewer lanes then do.
template <Index width, class Cpu>
TAMIS_INLINE void key_block_of(const NarrowColumns& columns, Index first, Index from, float* keys,
                               float* minima) {
  if constexpr (width > kLeastWidth)
    if (from + width / 2 >= columns.rows)
      return key_block_of<width / 2, Cpu>(columns, first, from, keys, minima);
  key_block<width, Cpu>(columns, first, from, keys, minima);
}

/// Keys with one group of columns; half of the registers hold sums.
template <class Cpu>
TAMIS_INLINE void key_blocks(const NarrowColumns& columns, Index first, Index from, float* keys,
                             float* minima) {
  constexpr Index kVectors = Cpu::kRegisters / (2 * kRowsAtOnce);
  constexpr Index kWidth = kVectors * kRegisterLanes<float, Cpu>;
  for (Index g = 0; g < kColumnGroups && from + g < columns.rows; g += kWidth)
    key_block_of<kWidth, Cpu>(columns, first, from + g, keys, minima + g);
}

template <class Cpu>
TAMIS_INLINE void fill_panel(const NarrowColumns& columns, Index first, Index height, float* keys,
                             float* group_minima) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::fill_n(group_minima, height * kColumnGroups, kInfinity);
  for (Index from = 0; from < columns.padded_rows; from += kColumnGroups) {
    const bool has_diagonal = from < first + height && first < from + kColumnGroups;
    for (Index i = 0; i < height; i += kRowsAtOnce) {
      float* const row_keys = keys + i * columns.padded_rows;
      float* const minima = group_minima + i * kColumnGroups;
      if (!has_diagonal) {
        key_blocks<Cpu>(columns, first + i, from, row_keys, minima);
        continue;
      }
      float scrap[kRowsAtOnce * kColumnGroups];
      key_blocks<Cpu>(columns, first + i, from, row_keys, scrap);
      for (Index s = 0; s < kRowsAtOnce; ++s)
        for (Index g = 0; g < kColumnGroups; ++g) {
          float& key = row_keys[s * columns.padded_rows + from + g];
          if (from + g == first + i + s) key = kInfinity;
          minima[s * kColumnGroups + g] = std::min(minima[s * kColumnGroups + g], key);
        }
    }
  }
}

}  // namespace

void fill_key_panel(const NarrowColumns& columns, Index first, Index height, float* keys,
                    float* group_minima) {
  for_this_cpu([=, &columns](auto cpu) TAMIS_KERNEL {
    fill_panel<decltype(cpu)>(columns, first, height, keys, group_minima);
  });
}

}  // namespace tamis
