#include "levels/correlations.hpp"

#include <algorithm>
#include <cmath>

#include "levels/code_gram.hpp"
#include "levels/tile_vectors.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {

Correlations::Correlations(const SymmetricTiles<std::int64_t>& products,
                           std::span<const CodeFacts> facts, Index rows)
    : tiles_(products.side()) {
  std::vector<double> lengths(facts.size());
  for (std::size_t r = 0; r < facts.size(); ++r)
    lengths[r] = std::sqrt(
        static_cast<double>(scaled_covariance(rows, facts[r].squares, facts[r].sum, facts[r].sum)));
  const Index side = products.side();
  const auto correlation = [&](Index i, Index j, std::int64_t product) {
    if (lengths[i] == 0.0 || lengths[j] == 0.0) return 0.0;
    if (i == j) return 1.0;
    const Int128 covariance = scaled_covariance(rows, product, facts[i].sum, facts[j].sum);
    return static_cast<double>(covariance) / lengths[i] / lengths[j];
  };
  parallel_for(tiles_.tiles() * (tiles_.tiles() + 1) / 2, 1, [&](Index number, Index) {
    const auto [row, column] = tile_place(number);
    const std::int64_t* const from = products.tile(row, column);
    double* const to = tiles_.tile(row, column);
    const Index last_row = std::min(side, (row + 1) * kTileSide);
    const Index last_column = std::min(side, (column + 1) * kTileSide);
    for (Index i = row * kTileSide; i < last_row; ++i)
      for (Index j = column * kTileSide; j < last_column; ++j) {
        const Index e = i % kTileSide * kTileSide + j % kTileSide;
        to[e] = i >= j ? correlation(i, j, from[e]) : correlation(j, i, from[e]);
      }
  });
}

RowVectors Correlations::times(const RowVectors& vectors) const {
  const Index width = vectors.width;
  RowVectors out{width, Buffer<double>(side() * width, 0.0)};
  if (width == 0) return out;
  if (width == 1 && has_tile_vectors()) {
    multiply_vector(vectors.values, out.values);
    return out;
  }
  parallel_for(tiles_.tiles(), 1, [&](Index row, Index) {
    const Index rows = std::min(kTileSide, side() - row * kTileSide);
    double* const to = out.row(row * kTileSide);
    for (Index other = 0; other < tiles_.tiles(); ++other) {
      const Index depth = std::min(kTileSide, side() - other * kTileSide);
      const double* const from = vectors.row(other * kTileSide);
      if (other <= row)
        add_product(tiles_.tile(row, other), kTileSide, from, rows, depth, width, to);
      else
        add_transposed_product(tiles_.tile(other, row), kTileSide, from, rows, depth, width, to);
    }
  });
  return out;
}

/// Every tile is read once, for its own place and for the one across the diagonal; then the parts
/// of each row are added in the order of columns.
void Correlations::multiply_vector(const Buffer<double>& vector, Buffer<double>& out) const {
  constexpr Index kGrain = 16;
  const Index tiles = tiles_.tiles();
  Buffer<double> padded(tiles * kTileSide, 0.0);
  std::ranges::copy(vector, padded.begin());
  const Index count = tiles * (tiles + 1) / 2;
  Buffer<double> right(count * kTileSide);
  Buffer<double> left(count * kTileSide);
  parallel_for(count, kGrain, [&](Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const auto [row, column] = tile_place(number);
      multiply_tile(tiles_.tile(row, column), &padded[column * kTileSide], &padded[row * kTileSide],
                    &right[number * kTileSide], &left[number * kTileSide]);
    }
  });
  parallel_for(side(), kTileSide, [&](Index begin, Index end) {
    const Index row = begin / kTileSide;
    for (Index other = 0; other < tiles; ++other) {
      const Index number =
          other <= row ? row * (row + 1) / 2 + other : other * (other + 1) / 2 + row;
      const double* const part = (other <= row ? right : left).data() + number * kTileSide;
      for (Index i = begin; i < end; ++i) out[i] += part[i - begin];
    }
  });
}

std::vector<double> Correlations::form(const RowVectors& a, const RowVectors& b) const {
  const RowVectors image = times(b);
  std::vector<double> result(a.width * b.width, 0.0);
  for (Index r = 0; r < side(); ++r)
    for (Index c = 0; c < a.width; ++c)
      for (Index d = 0; d < b.width; ++d) result[c * b.width + d] += a.row(r)[c] * image.row(r)[d];
  return result;
}

}  // namespace tamis
