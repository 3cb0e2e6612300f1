#pragma once

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// Rows and columns of a tile: what the kernels of products take at once.
inline constexpr Index kTileSide = 48;
inline constexpr Index kTileSize = kTileSide * kTileSide;

/// A symmetric matrix as the square tiles of its lower triangle, tile by tile: half the memory of
/// all, and every tile is a matrix of its own. Beyond the matrix tiles are filled up with zeros.
template <class T>
class SymmetricTiles {
 public:
  SymmetricTiles() = default;
  explicit SymmetricTiles(Index side)
      : side_(side), values_(tiles() * (tiles() + 1) / 2 * kTileSize, T{}) {}

  Index side() const { return side_; }
  Index tiles() const { return (side_ + kTileSide - 1) / kTileSide; }
  /// Row-major; row >= column.
  T* tile(Index row, Index column) { return &values_[place(row, column)]; }
  const T* tile(Index row, Index column) const { return &values_[place(row, column)]; }
  T at(Index i, Index j) const {
    if (i < j) return at(j, i);
    return tile(i / kTileSide, j / kTileSide)[i % kTileSide * kTileSide + j % kTileSide];
  }

  Buffer<T>& values() { return values_; }
  const Buffer<T>& values() const { return values_; }

 private:
  static Index place(Index row, Index column) { return (row * (row + 1) / 2 + column) * kTileSize; }

  Index side_ = 0;
  Buffer<T> values_;
};

/// Tile number `number` of the lower triangle.
struct TilePlace {
  Index row;
  Index column;
};
TilePlace tile_place(Index number);

}  // namespace tamis
