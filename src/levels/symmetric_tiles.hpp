#pragma once

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// Rows and columns of a tile: what the kernels of products take at once.
inline constexpr Index kTileSide = 48;
inline constexpr Index kTileSize = kTileSide * kTileSide;

/// Tiles of a triangle before a row of them, and so the number of its first.
constexpr Index tiles_before(Index row) { return row * (row + 1) / 2; }

/// A symmetric matrix as the square tiles of its lower triangle, tile by tile: half the memory of
/// all, and every tile is a matrix of its own. Beyond the matrix tiles are filled up with zeros.
/// Also a strip of it: its rows of tiles from some row on.
template <class T>
class SymmetricTiles {
 public:
  SymmetricTiles() = default;
  explicit SymmetricTiles(Index side, Index first_row = 0)
      : side_(side),
        first_(first_row),
        values_((tiles_before(tiles()) - tiles_before(first_)) * kTileSize, T{}) {}

  Index side() const { return side_; }
  Index tiles() const { return (side_ + kTileSide - 1) / kTileSide; }
  /// The first row of tiles that is here; those above are not.
  Index first_row() const { return first_; }
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
  Index place(Index row, Index column) const {
    return (tiles_before(row) + column - tiles_before(first_)) * kTileSize;
  }

  Index side_ = 0;
  Index first_ = 0;
  Buffer<T> values_;
};

/// Tile number `number` of the lower triangle.
struct TilePlace {
  Index row;
  Index column;
};
TilePlace tile_place(Index number);

}  // namespace tamis
