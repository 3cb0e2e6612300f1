#include "redundancy/correlation_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kTile = 512;
constexpr Index kDepth = ScaledColumns::kRowsAtOnce;

/// A part of the lower triangle.
struct Tile {
  Index row;
  Index column;
  Index height;
  Index width;
};

std::vector<Tile> lower_tiles(Index count) {
  std::vector<Tile> tiles;
  for (Index row = 0; row < count; row += kTile)
    for (Index column = 0; column <= row; column += kTile)
      tiles.push_back({row, column, std::min(kTile, count - row), std::min(kTile, count - column)});
  return tiles;
}

/// Mean 0 and norm 1, except for constant columns, which are 0.
void standardize(const ScaledColumns& columns, const ScaledColumns::Block& block, float* out) {
  const auto n = static_cast<double>(columns.rows());
  parallel_for(columns.count(), 64, [&](Index begin, Index end) {
    for (Index a = begin; a < end; ++a) {
      const double mean = columns.sum(a) / n;
      const double inverse = columns.is_constant(a) ? 0.0 : 1.0 / std::sqrt(columns.spread(a) / n);
      for (Index t = 0; t < block.rows; ++t)
        out[a * kDepth + t] = static_cast<float>((block.column(a)[t] - mean) * inverse);
    }
  });
}

/// The magnitudes of a finished tile, also in the upper triangle; small squares stay in cache.
void mirror(const Tile& tile, Index stride, float* values) {
  constexpr Index kSquare = 16;
  for (Index i = 0; i < tile.height; i += kSquare)
    for (Index j = 0; j < tile.width; j += kSquare)
      for (Index a = tile.row + i; a < tile.row + std::min(i + kSquare, tile.height); ++a)
        for (Index b = tile.column + j; b < tile.column + std::min(j + kSquare, tile.width); ++b) {
          if (b > a) break;
          values[a * stride + b] = values[b * stride + a] = std::abs(values[a * stride + b]);
        }
}

/// Rounding of columns of norm 1 to float32, of a product over kDepth rows, of each sum of
/// products.
double error_bound(Index rows) {
  constexpr double kUnit = std::numeric_limits<float>::epsilon() / 2.0;
  const double blocks = std::ceil(static_cast<double>(rows) / static_cast<double>(kDepth));
  return 1.01 * kUnit * (static_cast<double>(std::min(rows, kDepth)) + blocks + 5.0);
}

}  // namespace

FilteredCorrelations filter_correlations(const ScaledColumns& columns) {
  const Index stride = (columns.count() + 15) / 16 * 16;
  FilteredCorrelations all{.stride = stride,
                           .error = error_bound(columns.rows()),
                           .values = Buffer<float>(columns.count() * stride)};
  const std::vector<Tile> tiles = lower_tiles(columns.count());
  Buffer<float> standard(columns.count() * kDepth);
  bool is_first = true;
  columns.for_each_block([&](const ScaledColumns::Block& block) {
    standardize(columns, block, standard.data());
    parallel_for(std::ssize(tiles), 1, [&](Index k, Index) {
      const auto& [row, column, height, width] = tiles[k];
      multiply_transposed(standard.data() + row * kDepth, kDepth, height,
                          standard.data() + column * kDepth, kDepth, width, block.rows, !is_first,
                          all.values.data() + row * stride + column, stride);
    });
    is_first = false;
  });
  parallel_for(std::ssize(tiles), 1,
               [&](Index k, Index) { mirror(tiles[k], stride, all.values.data()); });
  return all;
}

}  // namespace tamis
