#include "levels/correlations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>

#include "levels/code_gram.hpp"
#include "levels/tile_vectors.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Makes correlations of products where these are: there may be no memory for both.
void correlate(SymmetricTiles<std::int64_t>& products, std::span<const CodeFacts> facts,
               Index rows) {
  static_assert(sizeof(double) == sizeof(std::int64_t));
  const Index side = products.side();
  std::vector<double> lengths(side);
  for (Index r = 0; r < side; ++r)
    lengths[r] = std::sqrt(
        static_cast<double>(scaled_covariance(rows, facts[r].squares, facts[r].sum, facts[r].sum)));
  const auto correlation = [&](Index i, Index j, std::int64_t product) {
    if (lengths[i] == 0.0 || lengths[j] == 0.0) return 0.0;
    if (i == j) return 1.0;
    const Int128 covariance = scaled_covariance(rows, product, facts[i].sum, facts[j].sum);
    return static_cast<double>(covariance) / lengths[i] / lengths[j];
  };
  const Index before = tiles_before(products.first_row());
  parallel_for(tiles_before(products.tiles()) - before, 1, [&](Index number, Index) {
    const auto [row, column] = tile_place(before + number);
    std::int64_t* const from = products.tile(row, column);
    std::array<double, kTileSize> made{};
    const Index last_row = std::min(side, (row + 1) * kTileSide);
    const Index last_column = std::min(side, (column + 1) * kTileSide);
    for (Index i = row * kTileSide; i < last_row; ++i)
      for (Index j = column * kTileSide; j < last_column; ++j) {
        const Index e = i % kTileSide * kTileSide + j % kTileSide;
        made[e] = i >= j ? correlation(i, j, from[e]) : correlation(j, i, from[e]);
      }
    std::memcpy(from, made.data(), kTileBytes);
  });
}

/// Of tiles that were so made.
const double* numbers_of(const SymmetricTiles<std::int64_t>& made) {
  return std::launder(reinterpret_cast<const double*>(made.values().data()));
}

/// Of its first number among those of all tiles; row >= column.
Index place_of_tile(Index row, Index column) { return (tiles_before(row) + column) * kTileSize; }

}  // namespace

Correlations::Correlations(const std::optional<std::string>& folder) {
  if (folder) file_.emplace(*folder);
}

Correlations::Correlations(SymmetricTiles<std::int64_t> products, std::span<const CodeFacts> facts,
                           Index rows) {
  add(std::move(products), facts, rows);
}

void Correlations::add(SymmetricTiles<std::int64_t> products, std::span<const CodeFacts> facts,
                       Index rows) {
  correlate(products, facts, rows);
  side_ = products.side();
  if (file_)
    file_->write(tiles_before(products.first_row()) * kTileBytes,
                 std::as_bytes(std::span(products.values())));
  else
    held_.push_back(std::move(products));
}

double Correlations::at(Index i, Index j) const {
  if (i < j) return at(j, i);
  double value = 0.0;
  return *look_at(
      place_of_tile(i / kTileSide, j / kTileSide) + i % kTileSide * kTileSide + j % kTileSide,
      std::span(&value, 1));
}

std::vector<double> Correlations::of(Index i, std::span<const Index> columns) const {
  const Index own = i / kTileSide;
  const Index line = i % kTileSide;
  std::array<double, kTileSize> room;
  const double* seen = nullptr;  // of the tile, the line of i, or all of it if that is a column
  Index other = -1;
  std::vector<double> values;
  values.reserve(columns.size());
  for (const Index j : columns) {
    if (j / kTileSide != other) {
      other = j / kTileSide;
      seen = other <= own ? look_at(place_of_tile(own, other) + line * kTileSide,
                                    std::span(room).first(kTileSide))
                          : look_at(place_of_tile(other, own), room);
    }
    const Index across = j % kTileSide;
    values.push_back(other <= own ? seen[across] : seen[across * kTileSide + line]);
  }
  return values;
}

const double* Correlations::look_at(Index place, std::span<double> room) const {
  if (file_) {
    file_->read(place * Index{sizeof(double)}, std::as_writable_bytes(room));
    return room.data();
  }
  auto strip = held_.begin();
  while (tiles_before(strip->tiles()) * kTileSize <= place) ++strip;
  return numbers_of(*strip) + place - tiles_before(strip->first_row()) * kTileSize;
}

template <class Visit>
void Correlations::for_each_strip(const Visit& visit) const {
  for (const SymmetricTiles<std::int64_t>& strip : held_)
    visit(Strip{strip.first_row(), strip.tiles(), numbers_of(strip)});
  if (!file_) return;
  Buffer<double> read;
  for (Strip strip; strip.first < tiles(); strip.first = strip.end) {
    const auto count = [&](Index end) { return tiles_before(end) - tiles_before(strip.first); };
    strip.end = strip.first + 1;
    while (strip.end < tiles() && count(strip.end + 1) <= kTilesAtOnce) ++strip.end;
    read.resize(count(strip.end) * kTileSize);
    file_->read(tiles_before(strip.first) * kTileBytes, std::as_writable_bytes(std::span(read)));
    strip.tiles = read.data();
    visit(strip);
  }
}

/// Strips come in the order of rows: so each row of the product takes its parts in the order of
/// columns, those of its own strip first.
RowVectors Correlations::times(const RowVectors& vectors) const {
  RowVectors out{vectors.width, Buffer<double>(side() * vectors.width, 0.0)};
  if (vectors.width == 0) return out;
  const bool is_one = vectors.width == 1 && has_tile_vectors();
  for_each_strip([&](const Strip& strip) {
    if (is_one)
      multiply_strip(strip, vectors.values, out.values);
    else
      multiply_strip(strip, vectors, out);
  });
  return out;
}

void Correlations::multiply_strip(const Strip& strip, const RowVectors& vectors,
                                  RowVectors& out) const {
  const Index width = vectors.width;
  parallel_for(strip.end, 1, [&](Index row, Index) {
    const Index rows = std::min(kTileSide, side() - row * kTileSide);
    double* const to = out.row(row * kTileSide);
    for (Index other = row < strip.first ? strip.first : 0; other < strip.end; ++other) {
      const Index depth = std::min(kTileSide, side() - other * kTileSide);
      const double* const from = vectors.row(other * kTileSide);
      if (other <= row)
        add_product(strip.tile(row, other), kTileSide, from, rows, depth, width, to);
      else
        add_transposed_product(strip.tile(other, row), kTileSide, from, rows, depth, width, to);
    }
  });
}

/// Every tile is read once, for its own place and for the one across the diagonal; then the parts
/// of each row are added in the order of columns.
void Correlations::multiply_strip(const Strip& strip, const Buffer<double>& vector,
                                  Buffer<double>& out) const {
  constexpr Index kGrain = 16;
  Buffer<double> padded(tiles() * kTileSide, 0.0);
  std::ranges::copy(vector, padded.begin());
  const Index before = tiles_before(strip.first);
  const Index count = tiles_before(strip.end) - before;
  Buffer<double> right(count * kTileSide);
  Buffer<double> left(count * kTileSide);
  parallel_for(count, kGrain, [&](Index begin, Index end) {
    for (Index number = begin; number < end; ++number) {
      const auto [row, column] = tile_place(before + number);
      multiply_tile(strip.tile(row, column), &padded[column * kTileSide], &padded[row * kTileSide],
                    &right[number * kTileSide], &left[number * kTileSide]);
    }
  });
  parallel_for(std::min(side(), strip.end * kTileSide), kTileSide, [&](Index begin, Index end) {
    const Index row = begin / kTileSide;
    for (Index other = row < strip.first ? strip.first : 0; other < strip.end; ++other) {
      const Index number =
          (other <= row ? tiles_before(row) + other : tiles_before(other) + row) - before;
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
