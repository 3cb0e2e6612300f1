#include "clustering/weighted/row_lanes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/lanes.hpp"
#include "core/simd.hpp"
#include "core/transpose.hpp"

namespace tamis {
namespace {

constexpr Index kProductsInFloat = 16;
/// Clusters that are looked at together; those of a tile add their squares up before others.
constexpr Index kTile = 4;

template <class T, class Cpu>
TAMIS_INLINE void transpose_rows(const T* rows, Index width, const T* factors, T* columns) {
  constexpr Index n = kLanes<T>;
  constexpr Index kSide = std::min(n, kRegisterLanes<T, Cpu>);
  using Vector = typename Lanes<T, kSide, Cpu>::Vector;
  for (Index from = 0; from < width; from += kSide)
    for (Index first = 0; first < n; first += kSide) {
      Vector square[kSide];
      load_transposed(rows + first * width + from, width, square);
#pragma GCC unroll 16
      for (Index r = 0; r < kSide; ++r) {
        if (factors != nullptr) square[r] *= factors[from + r];
        std::memcpy(columns + (from + r) * n + first, &square[r], sizeof(Vector));
      }
    }
}

/// The distances of `lanes` rows, from the given one on, from kCount centers. Their sums stay in
/// registers.
template <class T, Index lanes, class Cpu, int kCount, bool kHasFactors>
TAMIS_INLINE void measure_lanes(const T* columns, Index cols, Index width, const T* centers,
                                const T* factors, double* distances) {
  using Rows = Lanes<T, lanes, Cpu>;
  constexpr Index n = kLanes<T>;
  Lanes<double, lanes, Cpu> totals[kCount] = {};
  for (Index from = 0; from < cols; from += kProductsInFloat) {
    const Index end = std::min(cols, from + kProductsInFloat);
    Rows sums[kCount] = {};
    for (Index r = from; r < end; ++r) {
      const auto x = Rows::load(columns + r * n);
#pragma GCC unroll 4
      for (Index q = 0; q < kCount; ++q) {
        const Rows difference = x - centers[q * width + r];
        if constexpr (kHasFactors)
          sums[q] += difference * difference * factors[q * width + r];
        else
          sums[q] += difference * difference;
      }
    }
#pragma GCC unroll 4
    for (Index q = 0; q < kCount; ++q) totals[q] += widened(sums[q]);
  }
#pragma GCC unroll 4
  for (Index q = 0; q < kCount; ++q) totals[q].store(distances + q * n);
}

template <class T, class Cpu, int kCount, bool kHasFactors>
TAMIS_INLINE void measure_tile(const T* columns, Index cols, Index width, const T* centers,
                               const T* factors, double* distances) {
  constexpr Index kVectors = Cpu::kRegisters / (2 * kTile);
  constexpr Index kWidth = std::min(kLanes<T>, kVectors * kRegisterLanes<T, Cpu>);
  for (Index l = 0; l < kLanes<T>; l += kWidth)
    measure_lanes<T, kWidth, Cpu, kCount, kHasFactors>(columns + l, cols, width, centers, factors,
                                                       distances + l);
}

/// What the rows of a group add in a few columns.
template <class T, Index columns, class Cpu, int kCount>
TAMIS_INLINE void deviate_tile(const T* rows, Index width, Index from, const T* centers,
                               const T* weights, double* first, double* second) {
  using Columns = Lanes<T, columns, Cpu>;
  constexpr Index n = kLanes<T>;
  Columns center[kCount];
  Columns sums[kCount] = {};
  Columns squares[kCount] = {};  // one each: additions to a single one would wait for each other
#pragma GCC unroll 4
  for (Index q = 0; q < kCount; ++q) center[q] = Columns::load(centers + q * width + from);
#pragma GCC unroll 1  // unrolled, it would need more registers than there are
  for (Index l = 0; l < n; ++l) {
    const auto x = Columns::load(rows + l * width + from);
#pragma GCC unroll 4
    for (Index q = 0; q < kCount; ++q) {
      const Columns deviation = x - center[q];
      const Columns weighted = deviation * weights[q * n + l];
      sums[q] += weighted;
      squares[q] += weighted * deviation;
    }
  }
#pragma GCC unroll 4
  for (Index q = 0; q < kCount; ++q) {
    add_to(first + q * width + from, sums[q]);
    if (q > 0) squares[0] += squares[q];
  }
  add_to(second + from, squares[0]);
}

/// Calls body(count, first cluster) for tiles of kTile clusters, then for what is left.
template <class Body>
TAMIS_INLINE void for_each_tile(Index n_centers, const Body& body) {
  Index q = 0;
  for (; q + kTile <= n_centers; q += kTile) body(std::integral_constant<int, kTile>{}, q);
  switch (n_centers - q) {
    case 3:
      return body(std::integral_constant<int, 3>{}, q);
    case 2:
      return body(std::integral_constant<int, 2>{}, q);
    case 1:
      return body(std::integral_constant<int, 1>{}, q);
    default:
      return;
  }
}

template <class T, class Cpu>
TAMIS_INLINE void measure(const T* columns, Index cols, Index n_centers, const T* centers,
                          const T* factors, double* distances) {
  const Index width = padded<T>(cols);
  for_each_tile(n_centers, [&](auto count, Index q) TAMIS_KERNEL {
    double* const out = distances + q * kLanes<T>;
    if (factors == nullptr)
      measure_tile<T, Cpu, count, false>(columns, cols, width, centers + q * width, nullptr, out);
    else
      measure_tile<T, Cpu, count, true>(columns, cols, width, centers + q * width,
                                        factors + q * width, out);
  });
}

template <class T, Index columns, class Cpu>
TAMIS_INLINE void deviate_columns(const T* rows, Index width, Index from, Index n_centers,
                                  const T* centers, const T* weights, double* first,
                                  double* second) {
  for_each_tile(n_centers, [&](auto count, Index q) TAMIS_KERNEL {
    deviate_tile<T, columns, Cpu, count>(rows, width, from, centers + q * width,
                                         weights + q * kLanes<T>, first + q * width, second);
  });
}

template <class T, class Cpu>
TAMIS_INLINE void deviate(const T* rows, Index cols, Index n_centers, const T* centers,
                          const T* weights, double* first, double* second) {
  constexpr Index kFull = kRegisterLanes<T, Cpu>;
  const Index width = padded<T>(cols);
  Index from = 0;
  for (; cols - from > kFull / 2; from += kFull)
    deviate_columns<T, kFull, Cpu>(rows, width, from, n_centers, centers, weights, first, second);
  if (from < cols)
    deviate_columns<T, kFull / 2, Cpu>(rows, width, from, n_centers, centers, weights, first,
                                       second);
}

template <class In, class T>
TAMIS_INLINE void place_columns(const In* __restrict x, const T* scale, const T* shift, Index from,
                                Index count, T* __restrict out) {
  for (Index r = from; r < from + count; ++r) out[r] = static_cast<T>(x[r]) * scale[r] - shift[r];
}

/// All columns go through full vectors: the last one begins early and repeats some columns.
template <class In, class T>
TAMIS_INLINE void place_row(const In* x, const T* scale, const T* shift, Index n, T* out) {
  constexpr Index kWidth = kShortLanes<T>;
  if (n < kWidth) return place_columns(x, scale, shift, 0, n, out);
  for (Index r = 0; r < n; r += kWidth)
    place_columns(x, scale, shift, std::min(r, n - kWidth), kWidth, out);
}

template <class In, class T>
void place_rows(std::span<const In* const> rows, const T* scale, const T* shift, Index n, T* out) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (std::size_t l = 0; l < rows.size(); ++l)
      place_row(rows[l], scale, shift, n, out + static_cast<Index>(l) * padded<T>(n));
  });
}

/// What rows add in a few columns. Their sums stay in registers.
template <class T, Index columns, class Cpu>
TAMIS_INLINE void deviate_rows(std::span<const T* const> rows, Index from, const double* reference,
                               const double* scale, double* first, double* second) {
  using Columns = Lanes<double, columns, Cpu>;
  const auto center = Columns::load(reference + from);
  const auto factors = Columns::load(scale + from);
  auto sums = Columns::load(first + from);
  auto squares = Columns::load(second + from);
  for (const T* const row : rows) {
    const Columns deviation = (Columns::load(row + from) - center) * factors;
    sums += deviation;
    squares += deviation * deviation;
  }
  sums.store(first + from);
  squares.store(second + from);
}

/// The columns from the given one on: as many at once as asked for, then half as many, and so on.
template <class T, Index columns, class Cpu>
TAMIS_INLINE void deviate_rows_from(std::span<const T* const> rows, Index from,
                                    const double* reference, const double* scale, Index n,
                                    double* first, double* second) {
  for (; from + columns <= n; from += columns)
    deviate_rows<T, columns, Cpu>(rows, from, reference, scale, first, second);
  if constexpr (columns > 1)
    deviate_rows_from<T, columns / 2, Cpu>(rows, from, reference, scale, n, first, second);
}

template <class T>
void add_deviations_of(std::span<const T* const> rows, const double* reference, const double* scale,
                       Index n, double* first, double* second) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    constexpr Index kVectors = Cpu::kRegisters / 8;  // of each kind: half of all are held
    deviate_rows_from<T, kVectors * kRegisterLanes<double, Cpu>, Cpu>(rows, 0, reference, scale, n,
                                                                      first, second);
  });
}

template <class T>
TAMIS_INLINE void square(const double* memberships, Index n_centers, T* squares, Index* best) {
  constexpr Index n = kLanes<T>;
  std::array<double, n> greatest;
  std::array<Index, n> at{};
  greatest.fill(-1.0);
  for (Index q = 0; q < n_centers; ++q)
    for (Index l = 0; l < n; ++l) {
      const double share = memberships[q * n + l];
      at[l] = share > greatest[l] ? q : at[l];
      greatest[l] = share > greatest[l] ? share : greatest[l];
      squares[q * n + l] = static_cast<T>(share * share);
    }
  std::ranges::copy(at, best);
}

}  // namespace

void shift_and_scale(std::span<const float* const> rows, const float* scale, const float* shift,
                     Index n, float* out) {
  place_rows(rows, scale, shift, n, out);
}
void shift_and_scale(std::span<const double* const> rows, const float* scale, const float* shift,
                     Index n, float* out) {
  place_rows(rows, scale, shift, n, out);
}
void shift_and_scale(std::span<const float* const> rows, const double* scale, const double* shift,
                     Index n, double* out) {
  place_rows(rows, scale, shift, n, out);
}
void shift_and_scale(std::span<const double* const> rows, const double* scale, const double* shift,
                     Index n, double* out) {
  place_rows(rows, scale, shift, n, out);
}

void transpose_lanes(const float* rows, Index cols, const float* factors, float* columns) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    transpose_rows<float, decltype(cpu)>(rows, padded<float>(cols), factors, columns);
  });
}
void transpose_lanes(const double* rows, Index cols, const double* factors, double* columns) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    transpose_rows<double, decltype(cpu)>(rows, padded<double>(cols), factors, columns);
  });
}

void weighted_distances(const float* columns, Index cols, Index n_centers, const float* centers,
                        const float* factors, double* distances) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    measure<float, decltype(cpu)>(columns, cols, n_centers, centers, factors, distances);
  });
}
void weighted_distances(const double* columns, Index cols, Index n_centers, const double* centers,
                        const double* factors, double* distances) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    measure<double, decltype(cpu)>(columns, cols, n_centers, centers, factors, distances);
  });
}

void add_deviations(const float* rows, Index cols, Index n_centers, const float* centers,
                    const float* weights, double* first, double* second) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    deviate<float, decltype(cpu)>(rows, cols, n_centers, centers, weights, first, second);
  });
}
void add_deviations(const double* rows, Index cols, Index n_centers, const double* centers,
                    const double* weights, double* first, double* second) {
  for_this_cpu([=](auto cpu) TAMIS_KERNEL {
    deviate<double, decltype(cpu)>(rows, cols, n_centers, centers, weights, first, second);
  });
}

double inverse_shares(const double* distances, Index n_centers, Index lanes, double* memberships) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    std::array<double, kLanes<float>> sums{};
    std::array<double, kLanes<float>> least{};
    std::fill_n(least.begin(), lanes, HUGE_VAL);
    for (Index q = 0; q < n_centers; ++q)
      for (Index l = 0; l < lanes; ++l) {
        const double distance = distances[q * lanes + l];
        least[l] = distance < least[l] ? distance : least[l];
        memberships[q * lanes + l] = 1.0 / distance;
        sums[l] += memberships[q * lanes + l];
      }
    for (Index l = 0; l < lanes; ++l) sums[l] = 1.0 / sums[l];
    for (Index q = 0; q < n_centers; ++q)
      for (Index l = 0; l < lanes; ++l) memberships[q * lanes + l] *= sums[l];
    return *std::min_element(least.begin(), least.begin() + lanes);
  });
}

void nearest_of_lanes(const double* distances, Index n_centers, Index lanes, LaneNearest& out) {
  for_this_cpu([=, &out](auto) TAMIS_KERNEL {
    std::fill_n(out.nearest, lanes, Index{0});
    std::fill_n(out.distance, lanes, HUGE_VAL);
    std::fill_n(out.runner_up, lanes, HUGE_VAL);
    for (Index q = 0; q < n_centers; ++q)
      for (Index l = 0; l < lanes; ++l) {
        const double distance = distances[q * lanes + l];
        const double least = out.distance[l];
        const double loser = distance < least ? least : distance;
        out.nearest[l] = distance < least ? q : out.nearest[l];
        out.distance[l] = distance < least ? distance : least;
        out.runner_up[l] = loser < out.runner_up[l] ? loser : out.runner_up[l];
      }
  });
}

void add_row_deviations(std::span<const float* const> rows, const double* reference,
                        const double* scale, Index n, double* first, double* second) {
  add_deviations_of(rows, reference, scale, n, first, second);
}
void add_row_deviations(std::span<const double* const> rows, const double* reference,
                        const double* scale, Index n, double* first, double* second) {
  add_deviations_of(rows, reference, scale, n, first, second);
}

void square_memberships(const double* memberships, Index n_centers, float* squares, Index* best) {
  for_this_cpu([=](auto) TAMIS_KERNEL { square(memberships, n_centers, squares, best); });
}
void square_memberships(const double* memberships, Index n_centers, double* squares, Index* best) {
  for_this_cpu([=](auto) TAMIS_KERNEL { square(memberships, n_centers, squares, best); });
}

}  // namespace tamis
