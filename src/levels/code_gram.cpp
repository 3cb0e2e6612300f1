#include "levels/code_gram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "linalg/gemm.hpp"
#include "linalg/integer_tiles.hpp"
#include "tamis/core/parallel.hpp"

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
static_assert(kTileSide == kIntegerTile);
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

void add_by_integers(std::span<const CodeBlock> run, SymmetricTiles<std::int64_t>& gram) {
  const Buffer<std::int32_t> packed = packed_pairs(run);
  const Index panel = std::ssize(run) * kPackedTile;
  for_each_tile(gram, [&](Index row, Index column) {
    std::int64_t* const out = gram.tile(row, column);
    for (Index b = 0; b < std::ssize(run); ++b) {
      std::array<std::int32_t, kTileSize> sums;
      multiply_integer_tiles(&packed[row * panel + b * kPackedTile], kTileSide,
                             &packed[column * panel + b * kPackedTile], pairs_of(run[b]),
                             sums.data());
      for (Index e = 0; e < kTileSize; ++e) out[e] += sums[e];
    }
  });
}

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
  return has_integer_tiles() ? CodeKernel::integers : CodeKernel::doubles;
}

void add_code_products(std::span<const CodeBlock> run, CodeKernel kernel,
                       SymmetricTiles<std::int64_t>& gram) {
  if (kernel == CodeKernel::doubles) {
    for (const CodeBlock& block : run) add_by_doubles(block, gram);
    return;
  }
  for (; !run.empty(); run = run.subspan(std::min(run.size(), kBlocksAtOnce)))
    add_by_integers(run.first(std::min(run.size(), kBlocksAtOnce)), gram);
}

}  // namespace tamis
