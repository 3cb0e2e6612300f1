#include "levels/tile_vectors.hpp"

#include "core/cpu.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tamis {

#if defined(__x86_64__)

namespace {

/// Doubles in a vector.
constexpr Index kDoubles = 4;
constexpr Index kVectors = kTileSide / kDoubles;
/// Groups of four rows whose sums are in registers, so that none waits for its last term.
constexpr Index kGroups = 3;
static_assert(kVectors % kGroups == 0 && kVectors <= 12);

/// sums += four rows times x, column by column: a square of the tile is turned in registers.
__attribute__((target("avx2,fma"), always_inline)) inline void add_square(const double* square,
                                                                          const double* x,
                                                                          __m256d& sums) {
  const __m256d row_0 = _mm256_loadu_pd(square);
  const __m256d row_1 = _mm256_loadu_pd(square + kTileSide);
  const __m256d row_2 = _mm256_loadu_pd(square + 2 * kTileSide);
  const __m256d row_3 = _mm256_loadu_pd(square + 3 * kTileSide);
  const __m256d even_01 = _mm256_unpacklo_pd(row_0, row_1);
  const __m256d odd_01 = _mm256_unpackhi_pd(row_0, row_1);
  const __m256d even_23 = _mm256_unpacklo_pd(row_2, row_3);
  const __m256d odd_23 = _mm256_unpackhi_pd(row_2, row_3);
  constexpr int kLow = 0x20;
  constexpr int kHigh = 0x31;
  sums =
      _mm256_fmadd_pd(_mm256_permute2f128_pd(even_01, even_23, kLow), _mm256_set1_pd(x[0]), sums);
  sums = _mm256_fmadd_pd(_mm256_permute2f128_pd(odd_01, odd_23, kLow), _mm256_set1_pd(x[1]), sums);
  sums =
      _mm256_fmadd_pd(_mm256_permute2f128_pd(even_01, even_23, kHigh), _mm256_set1_pd(x[2]), sums);
  sums = _mm256_fmadd_pd(_mm256_permute2f128_pd(odd_01, odd_23, kHigh), _mm256_set1_pd(x[3]), sums);
}

__attribute__((target("avx2,fma"))) void multiply_rows(const double* tile, const double* x,
                                                       double* right) {
  for (Index row = 0; row < kTileSide; row += kGroups * kDoubles) {
    __m256d sums[kGroups] = {};
    for (Index c = 0; c < kTileSide; c += kDoubles) {
#pragma GCC unroll 3
      for (Index g = 0; g < kGroups; ++g)
        add_square(tile + (row + g * kDoubles) * kTileSide + c, x + c, sums[g]);
    }
    for (Index g = 0; g < kGroups; ++g) _mm256_storeu_pd(right + row + g * kDoubles, sums[g]);
  }
}

__attribute__((target("avx2,fma"))) void multiply_columns(const double* tile, const double* y,
                                                          double* left) {
  __m256d sums[kVectors] = {};
  for (Index i = 0; i < kTileSide; ++i) {
    const __m256d factor = _mm256_set1_pd(y[i]);
#pragma GCC unroll 12
    for (Index v = 0; v < kVectors; ++v)
      sums[v] =
          _mm256_fmadd_pd(_mm256_loadu_pd(tile + i * kTileSide + kDoubles * v), factor, sums[v]);
  }
  for (Index v = 0; v < kVectors; ++v) _mm256_storeu_pd(left + kDoubles * v, sums[v]);
}

}  // namespace

bool has_tile_vectors() { return current_target() != Target::baseline; }

void multiply_tile(const double* tile, const double* x, const double* y, double* right,
                   double* left) {
  multiply_columns(tile, y, left);  // first: it reads the tile as memory likes to be read
  multiply_rows(tile, x, right);
}

#else

bool has_tile_vectors() { return false; }
void multiply_tile(const double*, const double*, const double*, double*, double*) {}

#endif

}  // namespace tamis
