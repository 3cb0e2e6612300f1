#include "graphs/narrow_keys.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/lanes.hpp"
#include "core/transpose.hpp"
#include "graphs/centred_rows.hpp"
#include "graphs/gram_source.hpp"
#include "graphs/key_panel.hpp"
#include "graphs/rounded_rows.hpp"
#include "graphs/smallest_keys.hpp"
#include "linalg/integer_tiles.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Index rounded_up(Index n, Index multiple) { return (n + multiple - 1) / multiple * multiple; }

/// The squared norms as keys take them: infinite for padding.
std::vector<float> padded_norms(std::span<const double> squared_norms, Index padded_rows) {
  std::vector<float> norms(padded_rows, kInfinity);
  std::ranges::copy(squared_norms, norms.begin());
  return norms;
}

/// Columns that are turned at once: each of their rows is a cache line of floats.
constexpr Index kTurnedColumns = 16;

/// Rows of a table that become a block of kColumnGroups rows of NarrowColumns.
template <class T>
struct RowsOfBlock {
  std::array<const T*, kColumnGroups> rows;  ///< the centres where there is no row: zeros
  const T* centres;
  T scale;
  Index cols;
};

/// kTurnedColumns columns of some rows, centred and scaled; of fewer columns what there is.
template <Index height, class Cpu, class T>
TAMIS_INLINE void centre(const RowsOfBlock<T>& block, Index first_row, Index first, float* out) {
  using Columns = Lanes<T, kTurnedColumns, Cpu>;
  if (block.cols < kTurnedColumns) {
    for (Index i = 0; i < height; ++i)
      for (Index c = 0; c < block.cols; ++c)
        out[i * kTurnedColumns + c] =
            static_cast<float>((block.rows[first_row + i][c] - block.centres[c]) * block.scale);
    return;
  }
  const auto centres = Columns::load(block.centres + first);
  for (Index i = 0; i < height; ++i) {
    const auto row = Columns::load(block.rows[first_row + i] + first);
    narrowed((row - centres) * block.scale).store(out + i * kTurnedColumns);
  }
}

/// Writes as many rows of a block as a register holds, and their squared norms. Squares of a
/// centred block are transposed in registers. The last columns are looked at together with some
/// before them, which are left out then.
template <class Cpu, class T>
TAMIS_INLINE void turn_rows(const RowsOfBlock<T>& block, Index first_row, float* columns,
                            double* squared_norms) {
  constexpr Index kSide = kRegisterLanes<float, Cpu>;
  static_assert(kTurnedColumns % kSide == 0 && kColumnGroups % kSide == 0);
  using Rows = Lanes<float, kSide, Cpu>;
  Lanes<double, kSide, Cpu> norms{};
  float centred[kSide * kTurnedColumns] = {};
  for (Index next = 0; next < block.cols; next += kTurnedColumns) {
    const Index first = std::clamp<Index>(block.cols - kTurnedColumns, 0, next);
    const Index end = std::min(block.cols - first, kTurnedColumns);
    centre<kSide, Cpu>(block, first_row, first, centred);
    for (Index from = (next - first) / kSide * kSide; from < end; from += kSide) {
      typename Rows::Vector square[kSide];
      load_transposed(centred + from, kTurnedColumns, square);
#pragma GCC unroll 16
      for (Index l = 0; l < kSide; ++l) {
        if (from + l < next - first || from + l >= end) continue;
        float* const column = columns + (first + from + l) * kColumnGroups + first_row;
        std::memcpy(column, &square[l], sizeof square[l]);
        const auto values = widened(Rows{{square[l]}});
        norms += values * values;
      }
    }
  }
  norms.store(squared_norms + first_row);
}

/// columns[c * kColumnGroups + s] = row s, centred and scaled, at column c.
template <class T>
void turn_block(const RowsOfBlock<T>& block, float* columns, double* squared_norms) {
  for_this_cpu([=, &block](auto cpu) TAMIS_KERNEL {
    using Cpu = decltype(cpu);
    for (Index s = 0; s < kColumnGroups; s += kRegisterLanes<float, Cpu>)
      turn_rows<Cpu>(block, s, columns, squared_norms);
  });
}

class FloatKeys : public NarrowKeys {
 public:
  template <class T>
  explicit FloatKeys(const CentredRows<T>& rows);

  void fill(Index first, Index height, float* keys, float* group_minima) const override {
    const NarrowColumns columns{columns_.data(), norms_.data(), cols_, size_, padded_rows};
    if (are_all_at_once())
      fill_key_square(columns, keys, group_minima);
    else
      fill_key_panel(columns, first, height, keys, group_minima);
  }

 private:
  Index size_;
  Index cols_;
  Buffer<float> columns_;  // as NarrowColumns has them
  std::vector<float> norms_;
};

/// Centres and scales the rows into columns.
template <class T>
FloatKeys::FloatKeys(const CentredRows<T>& rows) : size_(rows.size()), cols_(rows.cols()) {
  padded_rows = rounded_up(size_, kColumnGroups);
  // So few rows that all keys stay in the second cache are one panel.
  panel_rows = size_ <= SmallestKeys::kMostRows ? padded_rows : kPanelRows;
  scale = rows.holds_integers() ? 1.0 : unit_scale(rows.spread());
  squared_norms.resize(padded_rows);
  columns_.resize(cols_ * padded_rows);
  RowsOfBlock<T> block{
      .rows = {}, .centres = rows.centres(), .scale = static_cast<T>(scale), .cols = cols_};
  for (Index from = 0; from < size_; from += kColumnGroups) {
    for (Index s = 0; s < kColumnGroups; ++s)
      block.rows[s] = from + s < size_ ? rows.row(from + s) : rows.centres();
    turn_block(block, columns_.data() + from * cols_, squared_norms.data() + from);
  }
  squared_norms.resize(size_);
  norms_ = padded_norms(squared_norms, padded_rows);
  set_error_bounds(cols_, cols_, rows.holds_integers());
}

/// What the keys of some rows with a tile of rows are made of.
struct IntegerProducts {
  const std::int32_t* sums;  // height x kIntegerTile
  const float* row_units;
  const float* row_norms;
  const float* units;  // of the tile, as its norms
  const float* norms;
  Index height;
};

/// Writes keys, whose rows lie `stride` apart, and joins them to the smallest of each group.
void write_keys(const IntegerProducts& products, float* keys, Index stride, float* minima) {
  for_this_cpu([=, &products](auto cpu) TAMIS_KERNEL {
    constexpr Index kWidth = 16;
    using Keys = Lanes<float, kWidth, decltype(cpu)>;
    const auto [sums, row_units, row_norms, units, norms, height] = products;
    for (Index from = 0; from < kIntegerTile; from += kWidth) {
      const auto tile_units = Keys::load(units + from);
      const auto tile_norms = Keys::load(norms + from);
      for (Index i = 0; i < height; ++i) {
        const Keys product =
            Keys::load(sums + i * kIntegerTile + from) * (row_units[i] * tile_units);
        const Keys key = larger(row_norms[i] + (tile_norms - 2.0F * product), Keys{});
        key.store(keys + i * stride + from);
        float* const smallest = minima + i * kColumnGroups + from;
        smaller(key, Keys::load(smallest)).store(smallest);
      }
    }
  });
}

class IntegerKeys : public NarrowKeys {
 public:
  template <class T>
  explicit IntegerKeys(const RoundedRows<T>& rows);

  void fill(Index first, Index height, float* keys, float* group_minima) const override;

 private:
  Index tile_size_;
  Buffer<std::int32_t> tiles_;
  std::vector<float> units_;
  std::vector<float> norms_;
};

template <class T>
IntegerKeys::IntegerKeys(const RoundedRows<T>& rows) : tile_size_(rows.tile_size()) {
  panel_rows = kIntegerTile;
  padded_rows = rounded_up(rows.size(), kIntegerTile);
  scale = rows.scale();
  squared_norms = rows.squared_norms();
  norms_ = padded_norms(squared_norms, padded_rows);
  units_ = rows.units();
  units_.resize(padded_rows, 0.0F);
  tiles_.resize(padded_rows / kIntegerTile * tile_size_);
  Buffer<std::int16_t> scratch;
  rows.pack(all_indices(rows.size()), scratch, tiles_.data());
  // Of a product its integer, both units' product and all of it are rounded.
  set_error_bounds(3, rows.cols(), rows.are_exact());
  held_error = rows.relative_error();
}

/// Groups are those of positions that are equal modulo kIntegerTile.
void IntegerKeys::fill(Index first, Index height, float* keys, float* group_minima) const {
  static_assert(kIntegerTile <= kColumnGroups);
  std::fill_n(group_minima, height * kColumnGroups, kInfinity);
  std::array<std::int32_t, kIntegerTile * kIntegerTile> sums;
  const std::int32_t* const panel = tiles_.data() + first / kIntegerTile * tile_size_;
  const auto tile_keys = [&](Index from, float* minima) {
    multiply_integer_tiles(panel, height, tiles_.data() + from / kIntegerTile * tile_size_,
                           tile_size_ / kIntegerTile, sums.data());
    write_keys({sums.data(), &units_[first], &norms_[first], &units_[from], &norms_[from], height},
               keys + from, padded_rows, minima);
  };
  for (Index from = 0; from < padded_rows; from += kIntegerTile)
    if (from != first) tile_keys(from, group_minima);
  // A row's key with itself, in no group with another of its own, is infinite.
  std::array<float, kIntegerTile * kColumnGroups> scrap;
  tile_keys(first, scrap.data());
  for (Index i = 0; i < height; ++i) {
    float* const own = keys + i * padded_rows + first;
    own[i] = kInfinity;
    for (Index l = 0; l < kIntegerTile; ++l) {
      float& smallest = group_minima[i * kColumnGroups + l];
      smallest = std::min(smallest, own[l]);
    }
  }
}

}  // namespace

template <class T>
std::unique_ptr<NarrowKeys> float_narrow_keys(const DenseView<T>& x, std::span<const Index> among) {
  return std::make_unique<FloatKeys>(CentredRows<T>(x, among));
}

template <class T>
std::unique_ptr<NarrowKeys> integer_narrow_keys(const DenseView<T>& x,
                                                std::span<const Index> among) {
  // In smaller tables other things than products take the time.
  constexpr Index kLeastRows = 256;
  constexpr Index kLeastCols = 16;
  if (std::ssize(among) < kLeastRows || x.cols() < kLeastCols || !integers_outrun_floats())
    return nullptr;
  const RoundedRows<T> rows(x, among);
  return rows.are_held() ? std::make_unique<IntegerKeys>(rows) : nullptr;
}

template std::unique_ptr<NarrowKeys> float_narrow_keys(const DenseView<float>&,
                                                       std::span<const Index>);
template std::unique_ptr<NarrowKeys> float_narrow_keys(const DenseView<double>&,
                                                       std::span<const Index>);
template std::unique_ptr<NarrowKeys> integer_narrow_keys(const DenseView<float>&,
                                                         std::span<const Index>);
template std::unique_ptr<NarrowKeys> integer_narrow_keys(const DenseView<double>&,
                                                         std::span<const Index>);

}  // namespace tamis
