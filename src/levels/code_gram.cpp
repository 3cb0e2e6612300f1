#include "levels/code_gram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/cpu.hpp"
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

/// Calls visit(row, column) for each tile of a strip, several at once.
template <class Visit>
void for_each_tile(const SymmetricTiles<std::int64_t>& gram, const Visit& visit) {
  const Index first = tiles_before(gram.first_row());
  parallel_for(tiles_before(gram.tiles()) - first, 1, [&](Index number, Index) {
    const auto [row, column] = tile_place(first + number);
    visit(row, column);
  });
}

#if defined(__x86_64__)

/// A block's columns of one tile.
constexpr Index kPackedTile = kPairs * kTileSide;

Index pairs_of(const CodeBlock& block) { return (block.rows + 1) / 2; }

/// The columns of each tile side by side, two rows of a column as one number; of each tile one
/// block after the other.
Buffer<std::int32_t> packed_pairs(std::span<const CodeBlock> run) {
  const Index cols = run.front().cols;
  const Index tiles = (cols + kTileSide - 1) / kTileSide;
  Buffer<std::int32_t> packed(tiles * std::ssize(run) * kPackedTile);
  parallel_for(tiles, 1, [&](Index tile, Index) {
    std::int32_t* out = &packed[tile * std::ssize(run) * kPackedTile];
    for (const CodeBlock& block : run) {
      for (Index c = 0; c < kTileSide; ++c) {
        const Index r = tile * kTileSide + c;
        for (Index p = 0; p < pairs_of(block); ++p) {
          std::int32_t pair = 0;
          if (r < cols) std::memcpy(&pair, block.column(r) + 2 * p, sizeof pair);
          out[p * kTileSide + c] = pair;
        }
      }
      out += kPackedTile;
    }
  });
  return packed;
}

/// out += a'b, with as many sums in registers as there are.
using AddTile = void (*)(const std::int32_t* a, const std::int32_t* b, Index pairs,
                         std::int64_t* out);

__attribute__((target("avx2"))) void add_tile_by_avx2(const std::int32_t* a, const std::int32_t* b,
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
      std::array<std::int32_t, kRows * kColumns> sums;
      auto* const to = reinterpret_cast<__m256i*>(sums.data());
#pragma GCC unroll 6
      for (Index i = 0; i < kRows; ++i) {
        _mm256_storeu_si256(to + 2 * i, low[i]);
        _mm256_storeu_si256(to + 2 * i + 1, high[i]);
      }
      for (Index i = 0; i < kRows; ++i)
        for (Index c = 0; c < kColumns; ++c)
          out[(row + i) * kTileSide + column + c] += sums[i * kColumns + c];
    }
}

__attribute__((target("avx512f,avx512vnni"))) void add_tile_by_vnni(const std::int32_t* a,
                                                                    const std::int32_t* b,
                                                                    Index pairs,
                                                                    std::int64_t* out) {
  constexpr Index kRows = 8;
  constexpr Index kLanes = 16;
  constexpr Index kVectors = kTileSide / kLanes;
  static_assert(kTileSide % kRows == 0 && kVectors == 3);
  for (Index row = 0; row < kTileSide; row += kRows) {
    __m512i sums[kRows][kVectors] = {};
    for (Index p = 0; p < pairs; ++p) {
      const std::int32_t* const at = b + p * kTileSide;
      const __m512i columns[kVectors] = {_mm512_loadu_si512(at), _mm512_loadu_si512(at + kLanes),
                                         _mm512_loadu_si512(at + 2 * kLanes)};
#pragma GCC unroll 8
      for (Index i = 0; i < kRows; ++i) {
        const __m512i factor = _mm512_set1_epi32(a[p * kTileSide + row + i]);
#pragma GCC unroll 3
        for (Index v = 0; v < kVectors; ++v)
          sums[i][v] = _mm512_dpwssd_epi32(sums[i][v], factor, columns[v]);
      }
    }
    std::array<std::int32_t, kRows * kTileSide> values;
#pragma GCC unroll 8
    for (Index i = 0; i < kRows; ++i)
#pragma GCC unroll 3
      for (Index v = 0; v < kVectors; ++v)
        _mm512_storeu_si512(&values[i * kTileSide + v * kLanes], sums[i][v]);
    for (Index e = 0; e < kRows * kTileSide; ++e) out[row * kTileSide + e] += values[e];
  }
}

AddTile best_tile_kernel() {
  const bool has_vnni =
      current_target() == Target::avx512 && __builtin_cpu_supports("avx512vnni") != 0;
  return has_vnni ? add_tile_by_vnni : add_tile_by_avx2;
}

void add_by_integers(std::span<const CodeBlock> run, SymmetricTiles<std::int64_t>& gram) {
  const AddTile add_tile = best_tile_kernel();
  const Buffer<std::int32_t> packed = packed_pairs(run);
  const Index panel = std::ssize(run) * kPackedTile;
  for_each_tile(gram, [&](Index row, Index column) {
    for (Index b = 0; b < std::ssize(run); ++b)
      add_tile(&packed[row * panel + b * kPackedTile], &packed[column * panel + b * kPackedTile],
               pairs_of(run[b]), gram.tile(row, column));
  });
}

#endif

/// Sums of so many products are exact in double.
void add_by_doubles(const CodeBlock& block, SymmetricTiles<std::int64_t>& gram) {
  Buffer<double> codes;
  copy_codes(block, codes);
  codes.resize(gram.tiles() * kTileSide * kCodeRows, 0.0);
  for_each_tile(gram, [&](Index row, Index column) {
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
  if (current_target() != Target::baseline) return CodeKernel::integers;
#endif
  return CodeKernel::doubles;
}

void add_code_products(std::span<const CodeBlock> run, [[maybe_unused]] CodeKernel kernel,
                       SymmetricTiles<std::int64_t>& gram) {
#if defined(__x86_64__)
  if (kernel == CodeKernel::integers) {
    for (; !run.empty(); run = run.subspan(std::min(run.size(), kBlocksAtOnce)))
      add_by_integers(run.first(std::min(run.size(), kBlocksAtOnce)), gram);
    return;
  }
#endif
  for (const CodeBlock& block : run) add_by_doubles(block, gram);
}

}  // namespace tamis
