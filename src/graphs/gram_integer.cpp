#include "graphs/gram_integer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

#include "core/cpu.hpp"
#include "graphs/rounded_rows.hpp"
#include "linalg/integer_tiles.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Longer panels save nothing; longer chunks compute more pairs twice on the diagonal.
constexpr Index kMostPanelTiles = 21;
constexpr Index kMostChunkTiles = 3;

Index tiles_of(Index rows) { return (rows + kIntegerTile - 1) / kIntegerTile; }

constexpr Index kTileSize = kIntegerTile * kIntegerTile;

void add_to(const std::int32_t* integers, Index count, float* sums) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index e = 0; e < count; ++e) sums[e] += static_cast<float>(integers[e]);
  });
}

/// sums = a b' in integers of both, whose products over a piece of the columns are exact.
void multiply_in_pieces(const std::int32_t* a, Index rows, const std::int32_t* b, Index pairs,
                        float* sums) {
  constexpr Index kPiece = RoundedRows<float>::kPieceCols / 2;
  std::fill_n(sums, rows * kIntegerTile, 0.0F);
  for (Index p = 0; p < pairs; p += kPiece) {
    std::array<std::int32_t, kTileSize> integers;
    multiply_integer_tiles(a + p * kIntegerTile, rows, b + p * kIntegerTile,
                           std::min(kPiece, pairs - p), integers.data());
    add_to(integers.data(), rows * kIntegerTile, sums);
  }
}

/// The products of what is held, from sums of integers.
void write_products(const float* sums, const float* row_units, Index height,
                    const float* column_units, Index width, float* out, Index stride) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index i = 0; i < height; ++i)
      for (Index j = 0; j < width; ++j)
        out[i * stride + j] = sums[i * kIntegerTile + j] * (row_units[i] * column_units[j]);
  });
}

template <class T>
class IntegerGramSource : public GramSource {
 public:
  explicit IntegerGramSource(RoundedRows<T> rows);
  std::unique_ptr<GramSource::Worker> worker() const override;

 private:
  class Worker;

  void choose_shape();
  void pack_all();

  RoundedRows<T> rows_;
  Buffer<std::int32_t> packed_;  // tiles of all rows; empty if they are many
};

template <class T>
IntegerGramSource<T>::IntegerGramSource(RoundedRows<T> rows) : rows_(std::move(rows)) {
  scale = rows_.scale();
  squared_norms = rows_.squared_norms();
  choose_shape();
  // Of a product the integers of each piece, their sums, both units' product and all of it are
  // rounded.
  const Index pieces = (rows_.cols() + RoundedRows<T>::kPieceCols - 1) / RoundedRows<T>::kPieceCols;
  set_error_bounds(pieces + 3, rows_.cols(), rows_.are_exact());
  held_error = rows_.relative_error();
  if (rows_.size() * rows_.cols() * 2 <= kLeastWorkBytes) pack_all();  // once, not for each panel
}

template <class T>
void IntegerGramSource<T>::choose_shape() {
  const Index n = rows_.size();
  const double table = static_cast<double>(n * rows_.cols()) * sizeof(T);
  const auto tiles =
      static_cast<Index>(work_bytes(table) / (4.0 * static_cast<double>(rows_.tile_size())));
  // Two panels for each thread share the triangle of pairs evenly enough.
  const Index panel = tiles_of(n / (2 * std::max<Index>(2, max_threads())));
  panel_rows = kIntegerTile *
               std::clamp<Index>(4 * tiles / 5, 1, std::clamp<Index>(panel, 1, kMostPanelTiles));
  chunk_rows =
      kIntegerTile *
      std::clamp<Index>(tiles / 5, 1, std::clamp<Index>(tiles_of(n / 16), 1, kMostChunkTiles));
}

template <class T>
void IntegerGramSource<T>::pack_all() {
  const std::vector<Index> positions = all_indices(rows_.size());
  packed_.resize(tiles_of(rows_.size()) * rows_.tile_size());
  parallel_for_with(
      rows_.size(), kIntegerTile, [] { return Buffer<std::int16_t>(); },
      [&](Buffer<std::int16_t>& scratch, Index begin, Index end) {
        rows_.pack(std::span(positions).subspan(begin, end - begin), scratch,
                   &packed_[begin / kIntegerTile * rows_.tile_size()]);
      });
}

template <class T>
class IntegerGramSource<T>::Worker : public GramSource::Worker {
 public:
  explicit Worker(const IntegerGramSource& source)
      : source_(source), tile_(source.panel_rows * source.chunk_rows) {}

  void set_panel(std::span<const Index> positions) override {
    positions_.assign(positions.begin(), positions.end());
    panel_units_.clear();
    for (const Index s : positions) panel_units_.push_back(source_.rows_.units()[s]);
    panel_ = packed(positions, panel_buffer_);
  }

  const float* tile(Index height, Index begin, Index end, Needed needed) override {
    chunk_positions_.resize(end - begin);
    std::iota(chunk_positions_.begin(), chunk_positions_.end(), begin);
    const std::int32_t* const chunk = packed(chunk_positions_, chunk_buffer_);
    const Index width = end - begin;
    const Index size = source_.rows_.tile_size();
    std::array<float, kTileSize> sums;
    for (Index i = 0; i < height; i += kIntegerTile)
      for (Index j = 0; j < width; j += kIntegerTile) {
        if (needed == Needed::later && begin + j + kIntegerTile <= positions_[i]) continue;
        const Index rows = std::min(kIntegerTile, height - i);
        multiply_in_pieces(panel_ + i / kIntegerTile * size, rows, chunk + j / kIntegerTile * size,
                           size / kIntegerTile, sums.data());
        write_products(sums.data(), &panel_units_[i], rows, &source_.rows_.units()[begin + j],
                       std::min(kIntegerTile, width - j), &tile_[i * width + j], width);
      }
    return tile_.data();
  }

 private:
  /// The tiles of these rows, which may be in the buffer.
  const std::int32_t* packed(std::span<const Index> positions, Buffer<std::int32_t>& buffer) {
    const Index size = source_.rows_.tile_size();
    const Index first = positions.front();
    if (!source_.packed_.empty() && first % kIntegerTile == 0 &&
        positions.back() - first == std::ssize(positions) - 1)
      return source_.packed_.data() + first / kIntegerTile * size;
    buffer.resize(tiles_of(std::ssize(positions)) * size);
    source_.rows_.pack(positions, scratch_, buffer.data());
    return buffer.data();
  }

  const IntegerGramSource& source_;
  const std::int32_t* panel_ = nullptr;
  std::vector<Index> positions_;  // of the panel's rows
  std::vector<float> panel_units_;
  std::vector<Index> chunk_positions_;
  Buffer<std::int32_t> panel_buffer_;
  Buffer<std::int32_t> chunk_buffer_;
  Buffer<std::int16_t> scratch_;
  Buffer<float> tile_;
};

template <class T>
std::unique_ptr<GramSource::Worker> IntegerGramSource<T>::worker() const {
  return std::make_unique<Worker>(*this);
}

}  // namespace

template <class T>
std::unique_ptr<GramSource> integer_gram_source(const DenseView<T>& x,
                                                std::span<const Index> among) {
  RoundedRows<T> rows(x, among);
  if (!rows.are_held()) return nullptr;
  return std::make_unique<IntegerGramSource<T>>(std::move(rows));
}
template std::unique_ptr<GramSource> integer_gram_source(const DenseView<float>&,
                                                         std::span<const Index>);
template std::unique_ptr<GramSource> integer_gram_source(const DenseView<double>&,
                                                         std::span<const Index>);

}  // namespace tamis
