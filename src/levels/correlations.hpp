#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/scratch_file.hpp"
#include "levels/code_facts.hpp"
#include "levels/symmetric_tiles.hpp"
#include "linalg/row_vectors.hpp"

namespace tamis {

inline constexpr Index kTileBytes = kTileSize * Index{sizeof(double)};
/// Tiles of a file that are in memory at once: 38 MB.
inline constexpr Index kTilesAtOnce = 2048;

/// The correlations of columns of codes: Z'Z/n for columns z with mean 0 and variance 1. Those of a
/// constant column are 0, its own with itself too. They are made of products of columns, strip by
/// strip, and stay in memory or go to a file: the bits of what is computed are the same.
class Correlations {
 public:
  Correlations() = default;
  /// @param folder of a file that holds them; none: they are in memory
  explicit Correlations(const std::optional<std::string>& folder);
  /// All of them.
  Correlations(SymmetricTiles<std::int64_t> products, std::span<const CodeFacts> facts, Index rows);

  /// The next strip: products of columns behind those that are here, with all up to them.
  /// @param facts of all these columns
  void add(SymmetricTiles<std::int64_t> products, std::span<const CodeFacts> facts, Index rows);

  Index side() const { return side_; }
  double at(Index i, Index j) const;
  /// Those of a column with some columns. From a file, one look for neighbours in the list that are
  /// in one tile.
  std::vector<double> of(Index i, std::span<const Index> columns) const;
  /// Their product with vectors of one row per column, side by side.
  RowVectors times(const RowVectors& vectors) const;
  /// sum_ij a_ic A_ij b_id for the columns c of a and d of b, row-major.
  std::vector<double> form(const RowVectors& a, const RowVectors& b) const;

 private:
  /// Some rows of tiles.
  struct Strip {
    Index first = 0;
    Index end = 0;
    const double* tiles = nullptr;

    const double* tile(Index row, Index column) const {
      return tiles + (tiles_before(row) + column - tiles_before(first)) * kTileSize;
    }
  };
  /// Calls visit(strip) from the first to the last.
  template <class Visit>
  void for_each_strip(const Visit& visit) const;
  /// Numbers that follow each other from a place on: where they are in memory, or read into `room`.
  const double* look_at(Index place, std::span<double> room) const;
  Index tiles() const { return (side_ + kTileSide - 1) / kTileSide; }
  void multiply_strip(const Strip& strip, const RowVectors& vectors, RowVectors& out) const;
  void multiply_strip(const Strip& strip, const Buffer<double>& vector, Buffer<double>& out) const;

  Index side_ = 0;
  std::vector<SymmetricTiles<std::int64_t>> held_;  ///< strips; their memory has numbers of ours
  std::optional<ScratchFile> file_;                 ///< that has all tiles instead
};

}  // namespace tamis
