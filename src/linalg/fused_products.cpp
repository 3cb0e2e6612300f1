#include "linalg/fused_products.hpp"

#include "core/cpu.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tamis {

#if defined(__x86_64__)

namespace {

/// Lanes of the vectors: a register of the widest kind, and the rest in one of the narrowest.
constexpr Index kWide = 16;
constexpr Index kHalf = kWide / 2;
static_assert(kFusedWidth == kWide + 4);
/// Sums that are in registers at once, each of all vectors.
constexpr Index kSumsOfAvx512 = 8;
constexpr Index kSumsOfAvx2 = 4;

/// Asks for the numbers of the next `sums` sums, a cache line with each term: such sums lie side by
/// side, or each in lines of its own.
template <Index sums>
inline void prefetch_next(const FusedOperand& z, Index k) {
  constexpr Index kLine = 16;
  if (z.across == 1)
    __builtin_prefetch(z.first + kLine + k * z.along);
  else if (k % kLine < sums)
    __builtin_prefetch(z.first + (sums + k % kLine) * z.across + k / kLine * kLine);
}

template <Index sums>
__attribute__((target("avx512f,fma"))) void add_by_avx512(const FusedOperand& z, const float* v,
                                                          Index depth, float* out) {
  __m512 wide[sums] = {};
  __m128 narrow[sums] = {};
  for (Index k = 0; k < depth; ++k, v += kFusedWidth) {
    prefetch_next<sums>(z, k);
    const __m512 first = _mm512_loadu_ps(v);
    const __m128 last = _mm_loadu_ps(v + kWide);
#pragma GCC unroll 8
    for (Index s = 0; s < sums; ++s) {
      const float* const factor = z.first + s * z.across + k * z.along;
      wide[s] = _mm512_fmadd_ps(_mm512_set1_ps(*factor), first, wide[s]);
      narrow[s] = _mm_fmadd_ps(_mm_set1_ps(*factor), last, narrow[s]);
    }
  }
#pragma GCC unroll 8
  for (Index s = 0; s < sums; ++s, out += kFusedWidth) {
    _mm512_storeu_ps(out, _mm512_add_ps(_mm512_loadu_ps(out), wide[s]));
    _mm_storeu_ps(out + kWide, _mm_add_ps(_mm_loadu_ps(out + kWide), narrow[s]));
  }
}

template <Index sums>
__attribute__((target("avx2,fma"))) void add_by_avx2(const FusedOperand& z, const float* v,
                                                     Index depth, float* out) {
  __m256 low[sums] = {};
  __m256 high[sums] = {};
  __m128 narrow[sums] = {};
  for (Index k = 0; k < depth; ++k, v += kFusedWidth) {
    prefetch_next<sums>(z, k);
    const __m256 first = _mm256_loadu_ps(v);
    const __m256 second = _mm256_loadu_ps(v + kHalf);
    const __m128 last = _mm_loadu_ps(v + kWide);
#pragma GCC unroll 4
    for (Index s = 0; s < sums; ++s) {
      const __m256 factor = _mm256_broadcast_ss(z.first + s * z.across + k * z.along);
      low[s] = _mm256_fmadd_ps(factor, first, low[s]);
      high[s] = _mm256_fmadd_ps(factor, second, high[s]);
      narrow[s] = _mm_fmadd_ps(_mm256_castps256_ps128(factor), last, narrow[s]);
    }
  }
#pragma GCC unroll 4
  for (Index s = 0; s < sums; ++s, out += kFusedWidth) {
    _mm256_storeu_ps(out, _mm256_add_ps(_mm256_loadu_ps(out), low[s]));
    _mm256_storeu_ps(out + kHalf, _mm256_add_ps(_mm256_loadu_ps(out + kHalf), high[s]));
    _mm_storeu_ps(out + kWide, _mm_add_ps(_mm_loadu_ps(out + kWide), narrow[s]));
  }
}

/// Calls some(z, out) for so many sums at a time, and one(z, out) for each that is left.
template <Index sums, class Some, class One>
void for_sums(FusedOperand z, Index count, float* out, const Some& some, const One& one) {
  Index s = 0;
  for (; s + sums <= count; s += sums, z.first += sums * z.across) some(z, out + s * kFusedWidth);
  for (; s < count; ++s, z.first += z.across) one(z, out + s * kFusedWidth);
}

}  // namespace

bool has_fused_products() { return current_target() != Target::baseline; }

void add_fused_products(const FusedOperand& z, Index count, const float* v, Index depth,
                        float* out) {
  const auto by = [&](auto* add) {
    return [=](const FusedOperand& some, float* of_some) { add(some, v, depth, of_some); };
  };
  if (current_target() == Target::avx512)
    for_sums<kSumsOfAvx512>(z, count, out, by(add_by_avx512<kSumsOfAvx512>), by(add_by_avx512<1>));
  else
    for_sums<kSumsOfAvx2>(z, count, out, by(add_by_avx2<kSumsOfAvx2>), by(add_by_avx2<1>));
}

#else

bool has_fused_products() { return false; }
void add_fused_products(const FusedOperand&, Index, const float*, Index, float*) {}

#endif

}  // namespace tamis
