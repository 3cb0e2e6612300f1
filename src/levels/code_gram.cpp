#include "levels/code_gram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tamis {

TilePlace tile_place(Index number) {
  auto row = static_cast<Index>(std::sqrt(2.0 * static_cast<double>(number)));
  while (row * (row + 1) / 2 > number) --row;
  while ((row + 1) * (row + 2) / 2 <= number) ++row;
  return {row, number - row * (row + 1) / 2};
}

namespace {

/// Two rows of a column are multiplied and added at once.
constexpr Index kPairs = kCodeRows / 2;
static_assert(kCodeRows * kLargestCode * kLargestCode < (std::int64_t{1} << 31));

Index tile_count(Index cols) {
  const Index tiles = (cols + kTileSide - 1) / kTileSide;
  return tiles * (tiles + 1) / 2;
}

#if defined(__x86_64__)

Index pairs_of(const CodeBlock& block) { return (block.rows + 1) / 2; }

/// The columns of each tile side by side, two rows of a column as one number.
Buffer<std::int32_t> packed_pairs(const CodeBlock& block) {
  const Index tiles = (block.cols + kTileSide - 1) / kTileSide;
  Buffer<std::int32_t> packed(tiles * kPairs * kTileSide);
  parallel_for(tiles, 1, [&](Index tile, Index) {
    std::int32_t* const out = &packed[tile * kPairs * kTileSide];
    for (Index c = 0; c < kTileSide; ++c) {
      const Index r = tile * kTileSide + c;
      for (Index p = 0; p < pairs_of(block); ++p) {
        std::int32_t pair = 0;
        if (r < block.cols) std::memcpy(&pair, block.column(r) + 2 * p, sizeof pair);
        out[p * kTileSide + c] = pair;
      }
    }
  });
  return packed;
}

/// out += a'b, with as many sums in registers as there are.
__attribute__((target("avx2"))) void add_tile(const std::int32_t* a, const std::int32_t* b,
                                              Index pairs, std::int64_t* out) {
  constexpr Index kRows = 6;
  constexpr Index kColumns = 16;
  static_assert(kTileSide % kRows == 0 && kTileSide % kColumns == 0);
  for (Index column = 0; column < kTileSide; column += kColumns)
    for (Index row = 0; row < kTileSide; row += kRows) {
      __m256i low[kRows] = {};
      __m256i high[kRows] = {};
      for (Index p = 0; p < pairs; ++p) {
        const auto* const at = reinterpret_cast<const __m256i*>(b + p * kTileSide + column);
        const __m256i first = _mm256_loadu_si256(at);
        const __m256i second = _mm256_loadu_si256(at + 1);
#pragma GCC unroll 6
        for (Index i = 0; i < kRows; ++i) {
          const __m256i factor = _mm256_set1_epi32(a[p * kTileSide + row + i]);
          low[i] = _mm256_add_epi32(low[i], _mm256_madd_epi16(factor, first));
          high[i] = _mm256_add_epi32(high[i], _mm256_madd_epi16(factor, second));
        }
      }
      for (Index i = 0; i < kRows; ++i) {
        std::array<std::int32_t, kColumns> sums{};
        std::memcpy(sums.data(), &low[i], sizeof low[i]);
        std::memcpy(sums.data() + kColumns / 2, &high[i], sizeof high[i]);
        std::int64_t* const to = out + (row + i) * kTileSide + column;
        for (Index c = 0; c < kColumns; ++c) to[c] += sums[c];
      }
    }
}

void add_by_integers(const CodeBlock& block, SymmetricTiles<std::int64_t>& gram) {
  const Buffer<std::int32_t> packed = packed_pairs(block);
  parallel_for(tile_count(block.cols), 1, [&](Index number, Index) {
    const auto [row, column] = tile_place(number);
    add_tile(&packed[row * kPairs * kTileSide], &packed[column * kPairs * kTileSide],
             pairs_of(block), gram.tile(row, column));
  });
}

#endif

/// Sums of so many products are exact in double.
void add_by_doubles(const CodeBlock& block, SymmetricTiles<std::int64_t>& gram) {
  Buffer<double> codes;
  copy_codes(block, codes);
  codes.resize(gram.tiles() * kTileSide * kCodeRows, 0.0);
  parallel_for(tile_count(block.cols), 1, [&](Index number, Index) {
    const auto [row, column] = tile_place(number);
    std::array<double, kTileSize> sums{};
    add_transposed(&codes[row * kTileSide * kCodeRows], kCodeRows, kTileSide,
                   &codes[column * kTileSide * kCodeRows], kCodeRows, kTileSide, kCodeRows,
                   sums.data(), kTileSide);
    std::int64_t* const out = gram.tile(row, column);
    for (Index e = 0; e < kTileSize; ++e) out[e] += static_cast<std::int64_t>(sums[e]);
  });
}

}  // namespace

CodeKernel best_code_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return CodeKernel::integers;
#endif
  return CodeKernel::doubles;
}

void add_code_products(const CodeBlock& block, [[maybe_unused]] CodeKernel kernel,
                       SymmetricTiles<std::int64_t>& gram) {
#if defined(__x86_64__)
  if (kernel == CodeKernel::integers) {
    add_by_integers(block, gram);
    return;
  }
#endif
  add_by_doubles(block, gram);
}

}  // namespace tamis
