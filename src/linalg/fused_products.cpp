#include "linalg/fused_products.hpp"

#include <algorithm>
#include <cmath>

#include "core/cpu.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tamis {

#if defined(__x86_64__)

namespace {

/// Sums of columns: their lanes are vectors, a register of the widest kind and a quarter of it. The
/// quarters of several columns share a register.
constexpr Index kWide = 16;
constexpr Index kQuarter = 4;
static_assert(kFusedWidth == kWide + kQuarter && kFusedTerms == kQuarter);

/// out += the sums of a column.
void add_sums(const float* wide, const float* quarter, float* out) {
  for (Index c = 0; c < kWide; ++c) out[c] += wide[c];
  for (Index c = 0; c < kQuarter; ++c) out[kWide + c] += quarter[c];
}

/// Sums of eight columns by AVX-512.
struct SumsOfEight {
  static constexpr Index kColumns = 8;
  static constexpr Index kShared = 4;
  __m512 wide[kColumns] = {};
  __m512 shared[kColumns / kShared] = {};
};

/// kFusedTerms terms of four columns, a quarter of a register for each.
__attribute__((target("avx512f,fma"), always_inline)) inline __m512 load_quarters(
    const float* const* columns, Index k) {
  __m512 terms = _mm512_castps128_ps512(_mm_loadu_ps(columns[0] + k));
  terms = _mm512_insertf32x4(terms, _mm_loadu_ps(columns[1] + k), 1);
  terms = _mm512_insertf32x4(terms, _mm_loadu_ps(columns[2] + k), 2);
  return _mm512_insertf32x4(terms, _mm_loadu_ps(columns[3] + k), 3);
}

/// Adds one of the terms from k on that quarters hold.
template <int term>
__attribute__((target("avx512f,fma"), always_inline)) inline void add_term(
    const float* const* columns, Index k, const __m512* quarters, const float* v,
    SumsOfEight& sums) {
  constexpr __mmask16 kAll = 0xffff;
  v += term * kFusedWidth;
  const __m512 first = _mm512_loadu_ps(v);
  const __m512 last = _mm512_maskz_broadcast_f32x4(kAll, _mm_loadu_ps(v + kWide));
#pragma GCC unroll 8
  for (Index s = 0; s < SumsOfEight::kColumns; ++s)
    sums.wide[s] = _mm512_fmadd_ps(_mm512_set1_ps(columns[s][k + term]), first, sums.wide[s]);
#pragma GCC unroll 2
  for (Index g = 0; g < SumsOfEight::kColumns / SumsOfEight::kShared; ++g)
    sums.shared[g] = _mm512_fmadd_ps(_mm512_maskz_permute_ps(kAll, quarters[g], 0x55 * term), last,
                                     sums.shared[g]);
}

__attribute__((target("avx512f,fma"))) void add_columns_by_avx512(const FusedColumns& z,
                                                                  const float* v, Index depth,
                                                                  float* out) {
  const float* columns[SumsOfEight::kColumns];
  for (Index s = 0; s < SumsOfEight::kColumns; ++s) columns[s] = z.first + s * z.apart;
  SumsOfEight sums;
  for (Index k = 0; k < depth; k += kFusedTerms, v += kFusedTerms * kFusedWidth) {
    const __m512 quarters[] = {load_quarters(columns, k),
                               load_quarters(columns + SumsOfEight::kShared, k)};
    add_term<0>(columns, k, quarters, v, sums);
    add_term<1>(columns, k, quarters, v, sums);
    add_term<2>(columns, k, quarters, v, sums);
    add_term<3>(columns, k, quarters, v, sums);
  }
  alignas(64) float wide[SumsOfEight::kColumns][kWide];
  alignas(64) float last[SumsOfEight::kColumns][kQuarter];
#pragma GCC unroll 8
  for (Index s = 0; s < SumsOfEight::kColumns; ++s) {
    _mm512_store_ps(wide[s], sums.wide[s]);
    if (s % SumsOfEight::kShared == 0)
      _mm512_store_ps(last[s], sums.shared[s / SumsOfEight::kShared]);
  }
  for (Index s = 0; s < SumsOfEight::kColumns; ++s)
    add_sums(wide[s], last[s], out + s * kFusedWidth);
}

constexpr Index kColumnsOfAvx2 = 4;
static_assert(kFusedColumns == SumsOfEight::kColumns && kFusedColumns % kColumnsOfAvx2 == 0);

__attribute__((target("avx2,fma"))) void add_columns_by_avx2(const FusedColumns& z, const float* v,
                                                             Index depth, float* out) {
  constexpr Index kHalf = kWide / 2;
  constexpr Index kShared = 2;
  constexpr int kSecondHalf = 0xf0;
  const float* columns[kColumnsOfAvx2];
  for (Index s = 0; s < kColumnsOfAvx2; ++s) columns[s] = z.first + s * z.apart;
  __m256 sums[kColumnsOfAvx2][2] = {};
  __m256 shared[kColumnsOfAvx2 / kShared] = {};
  for (Index k = 0; k < depth; ++k, v += kFusedWidth) {
    const __m256 last = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(v + kWide));
#pragma GCC unroll 2
    for (Index s = 0; s < kColumnsOfAvx2; s += kShared) {
      __m256 factors[kShared];
#pragma GCC unroll 2
      for (Index t = 0; t < kShared; ++t) {
        factors[t] = _mm256_broadcast_ss(columns[s + t] + k);
        sums[s + t][0] = _mm256_fmadd_ps(factors[t], _mm256_loadu_ps(v), sums[s + t][0]);
        sums[s + t][1] = _mm256_fmadd_ps(factors[t], _mm256_loadu_ps(v + kHalf), sums[s + t][1]);
      }
      shared[s / kShared] = _mm256_fmadd_ps(_mm256_blend_ps(factors[0], factors[1], kSecondHalf),
                                            last, shared[s / kShared]);
    }
  }
  alignas(32) float first[kColumnsOfAvx2][kWide];
  alignas(32) float quarters[kColumnsOfAvx2][kQuarter];
#pragma GCC unroll 4
  for (Index s = 0; s < kColumnsOfAvx2; ++s) {
    _mm256_store_ps(first[s], sums[s][0]);
    _mm256_store_ps(first[s] + kHalf, sums[s][1]);
    if (s % kShared == 0) _mm256_store_ps(quarters[s], shared[s / kShared]);
  }
  for (Index s = 0; s < kColumnsOfAvx2; ++s) add_sums(first[s], quarters[s], out + s * kFusedWidth);
}

/// Sums of rows: their lanes are two registers of rows, whose sums with a part of the vectors are
/// in registers at a time.
constexpr Index kRowsOfAvx512 = 32;
constexpr Index kRowsOfAvx2 = 16;

/// Asks for a line that is read soon, but not at once: the next rows of a column, of which the CPU
/// does not notice that it is read on.
TAMIS_INLINE void prefetch_line(const float* line) {
  constexpr int kForReading = 0;
  constexpr int kSecondCache = 2;
  __builtin_prefetch(line, kForReading, kSecondCache);
}

__attribute__((target("avx512f,fma"))) void continue_rows_by_avx512(const FusedColumns& z,
                                                                    const float* v, Index depth,
                                                                    const FusedRowSums& out) {
  constexpr Index kAtOnce = 10;
  constexpr Index kLine = kRowsOfAvx512 / 2;
  for (Index from = 0; from < kFusedWidth; from += kAtOnce) {
    __m512 sums[kAtOnce][2];
#pragma GCC unroll 10
    for (Index c = 0; c < kAtOnce; ++c) {
      sums[c][0] = _mm512_loadu_ps(out.first + (from + c) * out.apart);
      sums[c][1] = _mm512_loadu_ps(out.first + (from + c) * out.apart + kLine);
    }
    for (Index k = 0; k < depth; ++k) {
      const float* const rows = z.first + k * z.apart;
      const __m512 low = _mm512_loadu_ps(rows);
      const __m512 high = _mm512_loadu_ps(rows + kLine);
      if (from == 0) {
        prefetch_line(rows + kRowsOfAvx512);
        prefetch_line(rows + kRowsOfAvx512 + kLine);
      }
#pragma GCC unroll 10
      for (Index c = 0; c < kAtOnce; ++c) {
        const __m512 factor = _mm512_set1_ps(v[k * kFusedWidth + from + c]);
        sums[c][0] = _mm512_fmadd_ps(low, factor, sums[c][0]);
        sums[c][1] = _mm512_fmadd_ps(high, factor, sums[c][1]);
      }
    }
#pragma GCC unroll 10
    for (Index c = 0; c < kAtOnce; ++c) {
      _mm512_storeu_ps(out.first + (from + c) * out.apart, sums[c][0]);
      _mm512_storeu_ps(out.first + (from + c) * out.apart + kLine, sums[c][1]);
    }
  }
}

__attribute__((target("avx2,fma"))) void continue_rows_by_avx2(const FusedColumns& z,
                                                               const float* v, Index depth,
                                                               const FusedRowSums& out) {
  constexpr Index kAtOnce = 5;
  constexpr Index kHalf = kRowsOfAvx2 / 2;
  for (Index from = 0; from < kFusedWidth; from += kAtOnce) {
    __m256 sums[kAtOnce][2];
#pragma GCC unroll 5
    for (Index c = 0; c < kAtOnce; ++c) {
      sums[c][0] = _mm256_loadu_ps(out.first + (from + c) * out.apart);
      sums[c][1] = _mm256_loadu_ps(out.first + (from + c) * out.apart + kHalf);
    }
    for (Index k = 0; k < depth; ++k) {
      const float* const rows = z.first + k * z.apart;
      const __m256 low = _mm256_loadu_ps(rows);
      const __m256 high = _mm256_loadu_ps(rows + kHalf);
      if (from == 0) prefetch_line(rows + kRowsOfAvx2);
#pragma GCC unroll 5
      for (Index c = 0; c < kAtOnce; ++c) {
        const __m256 factor = _mm256_broadcast_ss(v + k * kFusedWidth + from + c);
        sums[c][0] = _mm256_fmadd_ps(low, factor, sums[c][0]);
        sums[c][1] = _mm256_fmadd_ps(high, factor, sums[c][1]);
      }
    }
#pragma GCC unroll 5
    for (Index c = 0; c < kAtOnce; ++c) {
      _mm256_storeu_ps(out.first + (from + c) * out.apart, sums[c][0]);
      _mm256_storeu_ps(out.first + (from + c) * out.apart + kHalf, sums[c][1]);
    }
  }
}

/// One row, of the last few.
__attribute__((target("avx2,fma"))) void continue_row(const FusedColumns& z, const float* v,
                                                      Index depth, const FusedRowSums& out) {
  for (Index k = 0; k < depth; ++k)
    for (Index c = 0; c < kFusedWidth; ++c) {
      float& sum = out.first[c * out.apart];
      sum = std::fma(z.first[k * z.apart], v[k * kFusedWidth + c], sum);
    }
}

/// Columns of which the nearest cache holds the rows of a tile and the factors.
constexpr Index kPiece = 128;

/// Calls add() for so many columns at a time, each time with all runs of rows: they are read on.
template <Index columns>
void add_columns(FusedColumns z, Index count, const float* v, std::span<const Index> depths,
                 float* out, void (*add)(const FusedColumns&, const float*, Index, float*)) {
  for (Index s = 0; s < count; s += columns, z.first += columns * z.apart) {
    const float* rows = z.first;
    const float* factors = v;
    for (const Index depth : depths) {
      add({rows, z.apart}, factors, depth, out + s * kFusedWidth);
      rows += depth;
      factors += depth * kFusedWidth;
    }
  }
}

/// Calls go_on() for so many rows at a time; returns the first of the rows that are left.
template <Index rows>
Index continue_tiles(const FusedColumns& z, Index count, const float* v, Index depth,
                     const FusedRowSums& out,
                     void (*go_on)(const FusedColumns&, const float*, Index, const FusedRowSums&)) {
  Index s = 0;
  for (; s + rows <= count; s += rows)
    for (Index k = 0; k < depth; k += kPiece)
      go_on({z.first + s + k * z.apart, z.apart}, v + k * kFusedWidth, std::min(kPiece, depth - k),
            {out.first + s, out.apart});
  return s;
}

}  // namespace

bool has_fused_products() { return current_target() != Target::baseline; }

void add_fused_columns(const FusedColumns& z, Index count, const float* v,
                       std::span<const Index> depths, float* out) {
  if (current_target() == Target::avx512)
    add_columns<SumsOfEight::kColumns>(z, count, v, depths, out, add_columns_by_avx512);
  else
    add_columns<kColumnsOfAvx2>(z, count, v, depths, out, add_columns_by_avx2);
}

void continue_fused_rows(const FusedColumns& z, Index count, const float* v, Index depth,
                         const FusedRowSums& out) {
  Index s = current_target() == Target::avx512
                ? continue_tiles<kRowsOfAvx512>(z, count, v, depth, out, continue_rows_by_avx512)
                : continue_tiles<kRowsOfAvx2>(z, count, v, depth, out, continue_rows_by_avx2);
  for (; s < count; ++s) continue_row({z.first + s, z.apart}, v, depth, {out.first + s, out.apart});
}

#else

bool has_fused_products() { return false; }
void add_fused_columns(const FusedColumns&, Index, const float*, std::span<const Index>, float*) {}
void continue_fused_rows(const FusedColumns&, Index, const float*, Index, const FusedRowSums&) {}

#endif

}  // namespace tamis
