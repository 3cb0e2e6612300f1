#include "clustering/ward/distance_tile.hpp"

#include <algorithm>
#include <cstring>

#include "core/lanes.hpp"
#include "core/simd.hpp"

namespace tamis {
namespace {

using Floats __attribute__((vector_size(32))) = float;
constexpr Index kFloats = kShortLanes<float>;
/// Columns that are added up side by side: a register of them, but no fewer than `Floats` has.
template <class Cpu>
constexpr Index kDistanceLanes = std::max(kFloats, kRegisterLanes<float, Cpu>);
static_assert(kTileStep % kDistanceLanes<Avx512Cpu> == 0);
/// Points that share the loads of the rows: half of the registers hold sums.
template <class Cpu>
constexpr Index kPointsAtOnce = Cpu::kRegisters / (2 * kTileRows);

/// a becomes the sums of neighbouring lanes: those of a, then those of b.
TAMIS_INLINE void add_neighbors(Floats& a, const Floats& b) {
  const Floats even = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  const Floats odd = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  a = even + odd;
}

/// The sum of the lanes of each of the kTileRows vectors.
TAMIS_INLINE void join(Floats* sums, float* out) {
  static_assert(kTileRows == 8 && kFloats == 8);  // written out: a loop would go through memory
  add_neighbors(sums[0], sums[1]);
  add_neighbors(sums[2], sums[3]);
  add_neighbors(sums[4], sums[5]);
  add_neighbors(sums[6], sums[7]);
  add_neighbors(sums[0], sums[2]);
  add_neighbors(sums[4], sums[6]);
  add_neighbors(sums[0], sums[4]);
  std::memcpy(out, sums, kTileRows * sizeof(float));
}

/// The sums of a point's kTileRows squared distances, each in lanes.
template <class Cpu>
TAMIS_INLINE void join_lanes(const Lanes<float, kDistanceLanes<Cpu>, Cpu>* sums, float* out) {
  Floats joined[kTileRows];
#pragma GCC unroll 8
  for (Index o = 0; o < kTileRows; ++o) {
    float lanes[kDistanceLanes<Cpu>];
    sums[o].store(lanes);
    std::memcpy(&joined[o], lanes, sizeof(Floats));
    for (Index l = kFloats; l < kDistanceLanes<Cpu>; l += kFloats) {
      Floats more;
      std::memcpy(&more, lanes + l, sizeof more);
      joined[o] += more;
    }
  }
  join(joined, out);
}

/// Adds what some columns contribute; points are `pitch` numbers apart.
template <Index count, class Cpu>
TAMIS_INLINE void add_squares(const float* points, Index pitch, const float* const* rows,
                              Index width, Lanes<float, kDistanceLanes<Cpu>, Cpu>* sums) {
  using Vector = Lanes<float, kDistanceLanes<Cpu>, Cpu>;
  for (Index r = 0; r < width; r += kDistanceLanes<Cpu>) {
    Vector own[count];
#pragma GCC unroll 4
    for (Index p = 0; p < count; ++p) own[p] = Vector::load(points + p * pitch + r);
#pragma GCC unroll 8
    for (Index o = 0; o < kTileRows; ++o) {
      const auto other = Vector::load(rows[o] + r);
#pragma GCC unroll 4
      for (Index p = 0; p < count; ++p) {
        const Vector difference = own[p] - other;
        sums[p * kTileRows + o] += difference * difference;
      }
    }
  }
}

template <Index count, class Cpu>
TAMIS_INLINE void measure_points(const float* points, const TileRows& rows, Index width,
                                 float* out) {
  Lanes<float, kDistanceLanes<Cpu>, Cpu> sums[count * kTileRows] = {};
  const Index before = width - kTileStep;
  add_squares<count, Cpu>(points, width, rows.columns.data(), before, sums);
  add_squares<count, Cpu>(points + before, width, rows.last.data(), kTileStep, sums);
#pragma GCC unroll 4
  for (Index p = 0; p < count; ++p) join_lanes<Cpu>(sums + p * kTileRows, out + p * kTileRows);
}

}  // namespace

void measure_tile(const float* points, Index count, const TileRows& rows, Index width, float* out) {
  for_this_cpu([=, &rows](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    constexpr Index kPoints = kPointsAtOnce<Cpu>;
    Index p = 0;
    for (; p + kPoints <= count; p += kPoints)
      measure_points<kPoints, Cpu>(points + p * width, rows, width, out + p * kTileRows);
    for (; p < count; ++p)
      measure_points<1, Cpu>(points + p * width, rows, width, out + p * kTileRows);
  });
}

}  // namespace tamis
