#include "graphs/key_panel.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/simd.hpp"

namespace tamis {
namespace {

constexpr Index kVectors = kColumnGroups / kLanes<float>;
constexpr Index kRowsAtOnce = 4;  // 4 x 4 vectors of sums stay in registers

using Vector [[gnu::vector_size(4 * kLanes<float>), gnu::aligned(4), gnu::may_alias]] = float;

/// Keys of kRowsAtOnce rows from `first` with the rows from `from`, kColumnGroups of them.
TAMIS_INLINE void key_block(const NarrowColumns& columns, Index first, Index from, float* keys,
                            float* minima) {
  Vector sums[kRowsAtOnce][kVectors] = {};
  const float* left = columns.block(first) + first % kColumnGroups;
  const float* right = columns.block(from);
  for (Index c = 0; c < columns.cols; ++c) {
    for (Index v = 0; v < kVectors; ++v) {
      const Vector b = *reinterpret_cast<const Vector*>(right + v * kLanes<float>);
      for (Index i = 0; i < kRowsAtOnce; ++i) sums[i][v] += left[i] * b;
    }
    left += kColumnGroups;
    right += kColumnGroups;
  }
  for (Index i = 0; i < kRowsAtOnce; ++i)
    for (Index v = 0; v < kVectors; ++v) {
      const Vector norms =
          *reinterpret_cast<const Vector*>(columns.norms + from + v * kLanes<float>);
      Vector key = columns.norms[first + i] + (norms - 2.0F * sums[i][v]);
      key = key > 0.0F ? key : Vector{};
      *reinterpret_cast<Vector*>(keys + i * columns.padded_rows + from + v * kLanes<float>) = key;
      Vector& smallest = *reinterpret_cast<Vector*>(minima + i * kColumnGroups + v * kLanes<float>);
      smallest = key < smallest ? key : smallest;
    }
}

}  // namespace

TAMIS_MULTIVERSION void fill_key_panel(const NarrowColumns& columns, Index first, Index height,
                                       float* keys, float* group_minima) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::fill_n(group_minima, height * kColumnGroups, kInfinity);
  for (Index from = 0; from < columns.padded_rows; from += kColumnGroups) {
    const bool has_diagonal = from < first + height && first < from + kColumnGroups;
    for (Index i = 0; i < height; i += kRowsAtOnce) {
      float* const row_keys = keys + i * columns.padded_rows;
      float* const minima = group_minima + i * kColumnGroups;
      if (!has_diagonal) {
        key_block(columns, first + i, from, row_keys, minima);
        continue;
      }
      float scrap[kRowsAtOnce * kColumnGroups];
      key_block(columns, first + i, from, row_keys, scrap);
      for (Index s = 0; s < kRowsAtOnce; ++s)
        for (Index g = 0; g < kColumnGroups; ++g) {
          float& key = row_keys[s * columns.padded_rows + from + g];
          if (from + g == first + i + s) key = kInfinity;
          minima[s * kColumnGroups + g] = std::min(minima[s * kColumnGroups + g], key);
        }
    }
  }
}

}  // namespace tamis
