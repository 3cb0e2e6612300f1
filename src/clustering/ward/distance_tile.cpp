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
                              Index begin, Index end,
                              Lanes<float, kDistanceLanes<Cpu>, Cpu>* sums) {
  using Vector = Lanes<float, kDistanceLanes<Cpu>, Cpu>;
  for (Index r = begin; r < end; r += kDistanceLanes<Cpu>) {
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

/// No more than any of the kTileRows sums: in each lane the least of them. Of at most half of the
/// columns, so that it takes no more additions than a whole sum.
template <class Cpu>
TAMIS_INLINE float least_sum(const Lanes<float, kDistanceLanes<Cpu>, Cpu>* sums) {
  static_assert(kTileRows == 8);
  const auto first = smaller(smaller(sums[0], sums[1]), smaller(sums[2], sums[3]));
  const auto second = smaller(smaller(sums[4], sums[5]), smaller(sums[6], sums[7]));
  float lanes[kDistanceLanes<Cpu>];
  smaller(first, second).store(lanes);
  float sum = 0.0F;
#pragma GCC unroll 16
  for (Index l = 0; l < kDistanceLanes<Cpu>; ++l) sum += lanes[l];
  return sum;
}

template <Index count, class Cpu>
TAMIS_INLINE void measure_points(const float* points, TileRows& rows, Index width,
                                 const float* enough, float* out) {
  using Vector = Lanes<float, kDistanceLanes<Cpu>, Cpu>;
  Vector sums[count * kTileRows] = {};
  const auto add_columns = [&](Index begin, Index end) TAMIS_KERNEL {
    add_squares<count, Cpu>(points, width, rows.columns.data(), begin, end, sums);
  };
  const Index before = width - kTileStep;
  Index done = 0;
  for (Index next = kFirstLook; 2 * next <= width; next *= 2) {
    rows.need(next);
    add_columns(done, next);
    done = next;
    float least[count];
    bool is_far = true;
#pragma GCC unroll 4
    for (Index p = 0; p < count; ++p) {
      least[p] = least_sum<Cpu>(sums + p * kTileRows);
      is_far = is_far && least[p] >= enough[p];
    }
    if (!is_far) continue;
    for (Index p = 0; p < count; ++p) std::fill_n(out + p * kTileRows, kTileRows, least[p]);
    return;
  }
  rows.need(width);
  add_columns(done, before);
  add_squares<count, Cpu>(points + before, width, rows.last.data(), 0, kTileStep, sums);
#pragma GCC unroll 4
  for (Index p = 0; p < count; ++p) join_lanes<Cpu>(sums + p * kTileRows, out + p * kTileRows);
}

}  // namespace

void measure_tile(const float* points, Index count, TileRows& rows, Index width,
                  const float* enough, float* out) {
  for_this_cpu([=, &rows](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    constexpr Index kPoints = kPointsAtOnce<Cpu>;
    Index p = 0;
    for (; p + kPoints <= count; p += kPoints)
      measure_points<kPoints, Cpu>(points + p * width, rows, width, enough + p,
                                   out + p * kTileRows);
    for (; p < count; ++p)
      measure_points<1, Cpu>(points + p * width, rows, width, enough + p, out + p * kTileRows);
  });
}

}  // namespace tamis
