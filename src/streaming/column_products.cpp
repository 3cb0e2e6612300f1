#include "streaming/column_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/listed_columns.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// A whole number q, |q| <= 2^30, is upper 2^15 + lower, 0 <= lower < 2^15. Products of uppers, of
/// lowers and of the sums of both are at most 2^32 and make up that of two numbers, so doubles add
/// up a chunk of them without a rounding.
constexpr int kLowerBits = 15;
constexpr std::int64_t kLargest = std::int64_t{1} << 30;
constexpr Index kChunkRows = 1024;
/// Columns whose products with as many others are taken at once.
constexpr Index kPanel = 64;
constexpr Index kPanelValues = kChunkRows * kPanel;

Index triangle(Index count) { return count * (count + 1) / 2; }
Index n_panels(Index columns) { return (columns + kPanel - 1) / kPanel; }

}  // namespace

/// Some rows in their parts: of each panel of columns row-major, and 0 behind the last column.
struct ColumnProductsState::Chunk {
  enum Part { upper, lower, both };
  explicit Chunk(Index columns)
      : parts{Buffer<double>(n_panels(columns) * kPanelValues),
              Buffer<double>(n_panels(columns) * kPanelValues),
              Buffer<double>(n_panels(columns) * kPanelValues)} {}

  const double* panel(Part part, Index p) const { return parts[part].data() + p * kPanelValues; }

  Index rows = 0;
  std::array<Buffer<double>, 3> parts;
  std::vector<std::int64_t> sums = {};
};

Pass ColumnProductsState::pass(const std::vector<Index>& columns, const ColumnRanges& ranges) {
  std::vector<FixedPoint> points;
  for (const Index r : columns)
    points.push_back(fixed_point(ranges.least()[r], ranges.largest()[r]));
  ByteWriter writer;
  writer.put_all(columns);
  writer.put_all(points);
  return {std::string(kKind), writer.take()};
}

Index ColumnProductsState::bytes(Index n_columns) {
  return triangle(n_columns) * Index{sizeof(Int128)} +
         3 * n_panels(n_columns) * kPanelValues * Index{sizeof(double)};
}

ColumnProductsState::ColumnProductsState(const Pass& pass) {
  ByteReader reader(pass.broadcast);
  columns_ = reader.get_all<std::vector<Index>>();
  points_ = reader.get_all<std::vector<FixedPoint>>();
  for (const Index column : columns_) places_.emplace(column, std::ssize(places_));
  sums_.resize(columns_.size());
  products_.resize(static_cast<std::size_t>(triangle(std::ssize(columns_))));
}

ColumnProductsState::ColumnProductsState(const Pass& pass, std::span<const std::byte> bytes)
    : ColumnProductsState(pass) {
  ByteReader reader(bytes);
  rows_ = reader.get<Index>();
  auto sums = reader.get_all<std::vector<std::int64_t>>();
  auto products = reader.get_all<std::vector<Int128>>();
  if (sums.size() != sums_.size() || products.size() != products_.size()) ByteReader::refuse();
  reader.expect_end();
  sums_ = std::move(sums);
  products_ = std::move(products);
}

void ColumnProductsState::read_chunk(const MatrixView& block, Index first, Index first_row,
                                     Chunk& chunk) const {
  std::vector<Index> rows(static_cast<std::size_t>(chunk.rows));
  std::iota(rows.begin(), rows.end(), first);
  parallel_for(n_panels(std::ssize(columns_)), 1, [&](Index begin, Index end) {
    Buffer<double> values(kPanelValues);
    for (Index p = begin; p < end; ++p) {
      const Index from = p * kPanel;
      const Index width = std::min(kPanel, std::ssize(columns_) - from);
      copy_listed_columns(block, rows, std::span(columns_).subspan(from, width), values.data());
      for (Index i = 0; i < chunk.rows; ++i)
        for (Index c = 0; c < width; ++c) {
          const double value = values[i * width + c];
          const std::int64_t whole = points_[from + c].whole(value);
          if (whole < -kLargest || whole > kLargest)  // NaN is far outside
            throw IoError(fmt::format(
                "the table was changed while it was read: row {}, column {} is {}, and was not "
                "before",
                first_row + first + i, columns_[from + c], value));
          const Index at = p * kPanelValues + i * kPanel + c;
          const std::int64_t upper = whole >> kLowerBits;
          const std::int64_t lower = whole - (upper << kLowerBits);
          chunk.sums[from + c] += whole;
          chunk.parts[Chunk::upper][at] = static_cast<double>(upper);
          chunk.parts[Chunk::lower][at] = static_cast<double>(lower);
          chunk.parts[Chunk::both][at] = static_cast<double>(upper + lower);
        }
    }
  });
}

void ColumnProductsState::add_products(const Chunk& chunk, Index panel, Index other) {
  std::array<std::array<double, kPanel * kPanel>, 3> sums{};
  for (const auto part : {Chunk::upper, Chunk::lower, Chunk::both})
    add_transposed_product(chunk.panel(part, panel), kPanel, chunk.panel(part, other), kPanel,
                           chunk.rows, kPanel, sums[part].data());
  const auto whole = [&](Chunk::Part part, Index at) {
    return static_cast<std::int64_t>(sums[part][at]);
  };
  const Index count = std::ssize(columns_);
  for (Index a = panel * kPanel; a < std::min(count, (panel + 1) * kPanel); ++a)
    for (Index b = other * kPanel; b <= std::min(a, (other + 1) * kPanel - 1); ++b) {
      const Index at = a % kPanel * kPanel + b % kPanel;
      const std::int64_t upper = whole(Chunk::upper, at);
      const std::int64_t lower = whole(Chunk::lower, at);
      const std::int64_t crossed = whole(Chunk::both, at) - upper - lower;
      products_[triangle(a) + b] +=
          (Int128{upper} << (2 * kLowerBits)) + (Int128{crossed} << kLowerBits) + lower;
    }
}

void ColumnProductsState::update(const MatrixView& block, Index first_row) {
  const Index panels = n_panels(std::ssize(columns_));
  std::vector<std::pair<Index, Index>> tiles;
  for (Index p = 0; p < panels; ++p)
    for (Index q = 0; q <= p; ++q) tiles.emplace_back(p, q);
  Chunk chunk(std::ssize(columns_));
  chunk.sums.resize(columns_.size());
  for (Index first = 0; first < block.rows(); first += kChunkRows) {
    chunk.rows = std::min(kChunkRows, block.rows() - first);
    read_chunk(block, first, first_row, chunk);
    parallel_for(std::ssize(tiles), 1, [&](Index begin, Index end) {
      for (Index t = begin; t < end; ++t) add_products(chunk, tiles[t].first, tiles[t].second);
    });
  }
  rows_ += block.rows();
  std::ranges::transform(sums_, chunk.sums, sums_.begin(), std::plus{});
}

void ColumnProductsState::merge(PassState& other) {
  const auto& others = static_cast<ColumnProductsState&>(other);
  rows_ += others.rows_;
  std::ranges::transform(sums_, others.sums_, sums_.begin(), std::plus{});
  std::ranges::transform(products_, others.products_, products_.begin(), std::plus{});
}

Bytes ColumnProductsState::bytes() const {
  return ByteWriter::written([&](ByteWriter& writer) {
    writer.put(rows_);
    writer.put_all(sums_);
    writer.put_all(products_);
  });
}

Int128 ColumnProductsState::covariance(Index place, Index other) const {
  const Int128 products = products_[triangle(std::max(place, other)) + std::min(place, other)];
  return Int128{rows_} * products - Int128{sums_[place]} * sums_[other];
}

double ColumnProductsState::absolute_correlation(Index column, Index other) const {
  const Index a = places_.at(column);
  const Index b = places_.at(other);
  // sqrt(V * V) is V again, so that equal columns have exactly 1.
  const double spread =
      std::sqrt(static_cast<double>(covariance(a, a)) * static_cast<double>(covariance(b, b)));
  if (spread == 0.0) return 0.0;
  return std::min(1.0, std::abs(static_cast<double>(covariance(a, b))) / spread);
}

}  // namespace tamis
