#include "linalg/centred_table.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kTile = 128;        // side of what one task adds to products
constexpr Index kDepth = 512;       // rows or columns that are copied at once
constexpr Index kColumnBlock = 64;  // columns of a task that reads all rows
constexpr Index kRowBlock = 64;     // rows of a task that reads all columns

/// A product of two stored entries costs as much as this many products within a block.
constexpr double kSparseCost = 16.0;

/// Lower triangle of out += panel panel', side x depth, tile by tile.
void add_tiles(const double* panel, Index side, Index depth, double* out) {
  const Index tiles = (side + kTile - 1) / kTile;
  parallel_for(tiles * tiles, 1, [&](Index tile, Index) {
    const Index row = tile / tiles * kTile;
    const Index column = tile % tiles * kTile;
    if (column > row) return;
    add_transposed(panel + row * depth, depth, std::min(kTile, side - row), panel + column * depth,
                   depth, std::min(kTile, side - column), depth, out + row * side + column, side);
  });
}

/// Constant columns: their mean is their value, to the last bit, so that they are centred to 0.
void take_constants(const MatrixView& x, ColumnMoments& found) {
  const std::vector<bool> varies = varying_columns(x);
  const Index first_row = 0;
  std::vector<double> values(x.cols());
  copy_columns(x, std::span(&first_row, 1), 0, x.cols(), values.data());
  for (Index r = 0; r < x.cols(); ++r)
    if (!varies[r]) {
      found.mean[r] = values[r];
      found.squares[r] = 0.0;
    }
}

/// Whether X - mean of a sparse table is far enough from the rounding of the mean's part.
bool has_small_mean(const MatrixView& x, const ColumnMoments& found,
                    const std::vector<double>& mean) {
  double of_mean = 0.0;
  double squares = 0.0;
  for (Index r = 0; r < x.cols(); ++r) {
    of_mean += found.total_weight * mean[r] * mean[r];
    squares += found.squares[r] + found.total_weight * std::pow(found.mean[r] - mean[r], 2);
  }
  return of_mean <= 4.0 * squares;
}

/// What row i of a sparse table is times b, added to out.
template <class T>
void add_row_product(const CsrView<T>& x, Index i, const RowVectors& b, double* out) {
  for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e) {
    const auto value = static_cast<double>(x.row_values(i)[e]);
    const double* const row = b.row(x.row_columns(i)[e]);
    for (Index c = 0; c < b.width; ++c) out[c] += value * row[c];
  }
}
template <class T>
void add_row_product(const DenseView<T>&, Index, const RowVectors&, double*) {}

/// Stored entries of columns begin .. end - 1 times v, added to out.
template <class T>
void add_column_products(const CsrView<T>& x, Index begin, Index end, const RowVectors& v,
                         double* out) {
  for (Index i = 0; i < x.rows(); ++i) {
    const auto columns = x.row_columns(i);
    const auto first = std::ranges::lower_bound(columns, begin) - columns.begin();
    for (Index e = first; e < std::ssize(columns) && columns[e] < end; ++e) {
      const auto value = static_cast<double>(x.row_values(i)[e]);
      double* const row = out + columns[e] * v.width;
      for (Index c = 0; c < v.width; ++c) row[c] += value * v.row(i)[c];
    }
  }
}
template <class T>
void add_column_products(const DenseView<T>&, Index, Index, const RowVectors&, double*) {}

/// sum_s weights[s] * (row s of vectors)
std::vector<double> weighted_sum(std::span<const double> weights, const RowVectors& vectors) {
  std::vector<double> sum(vectors.width, 0.0);
  for (Index s = 0; s < std::ssize(weights); ++s)
    for (Index c = 0; c < vectors.width; ++c) sum[c] += weights[s] * vectors.row(s)[c];
  return sum;
}

}  // namespace

CentredTable::CentredTable(const MatrixView& x) : x_(x), all_rows_(all_indices(x.rows())) {
  ColumnMoments found = moments(x);
  take_constants(x, found);
  mean_ = found.mean;
  stays_sparse_ = x.is_sparse() && has_small_mean(x, found, mean_);
  if (stays_sparse_) return;
  // A mean is rounded, which a large offset makes a shift: its rest has digits of its own.
  std::vector<double> rest(cols(), 0.0);
  parallel_for(cols(), kColumnBlock, [&](Index begin, Index end) {
    Buffer<double> block(kDepth * (end - begin));
    for (Index from = 0; from < rows(); from += kDepth) {
      const Index count = std::min(kDepth, rows() - from);
      copy_block(std::span(all_rows_).subspan(from, count), begin, end - begin, block.data());
      for (Index s = 0; s < count; ++s)
        for (Index r = begin; r < end; ++r) rest[r] += block[s * (end - begin) + r - begin];
    }
    for (Index r = begin; r < end; ++r) rest[r] /= static_cast<double>(rows());
  });
  rest_ = std::move(rest);
}

CentredTable::CentredTable(const MatrixView& x, std::vector<double> mean)
    : x_(x), mean_(std::move(mean)), all_rows_(all_indices(x.rows())) {
  stays_sparse_ = x.is_sparse() && has_small_mean(x, moments(x), mean_);
}

void CentredTable::copy_block(std::span<const Index> rows, Index first, Index width,
                              double* out) const {
  copy_columns(x_, rows, first, width, out);
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index r = 0; r < width; ++r) {
      double& value = out[s * width + r];
      value = (value - mean_[first + r]) - shift(first + r);
    }
}

/// Columns first .. first + count - 1 (rows) or such rows, transposed (columns): side x count.
void CentredTable::copy_panel(Side side, Index first, Index count, double* out) const {
  if (side == Side::rows) {
    parallel_for(rows(), kRowBlock, [&](Index begin, Index end) {
      copy_block(std::span(all_rows_).subspan(begin, end - begin), first, count,
                 out + begin * count);
    });
    return;
  }
  parallel_for(cols(), kColumnBlock, [&](Index begin, Index end) {
    const Index width = end - begin;
    Buffer<double> block(count * width);
    copy_block(std::span(all_rows_).subspan(first, count), begin, width, block.data());
    for (Index r = 0; r < width; ++r)
      for (Index s = 0; s < count; ++s) out[(begin + r) * count + s] = block[s * width + r];
  });
}

void CentredTable::take_off_mean(Side side, Buffer<double>& products) const {
  const Index n = size(side);
  const auto n_rows = static_cast<double>(rows());
  const RowVectors mean{1, {mean_.begin(), mean_.end()}};
  const double squared = weighted_sum(mean_, mean)[0];
  std::vector<double> on_mean(side == Side::rows ? n : 0, 0.0);
  x_.visit([&](const auto& x) {
    for (Index i = 0; i < std::ssize(on_mean); ++i) add_row_product(x, i, mean, &on_mean[i]);
  });
  parallel_for(n, kRowBlock, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s)
      for (Index t = 0; t <= s; ++t)
        products[s * n + t] -=
            side == Side::rows ? on_mean[s] + on_mean[t] - squared : n_rows * mean_[s] * mean_[t];
  });
}

Buffer<double> CentredTable::products(Side side, const Progress& progress) const {
  const Index n = size(side);
  const Index depth = side == Side::rows ? cols() : rows();
  const double all =
      0.5 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(depth);
  if (stays_sparse_ && sparse_product_count(x_, side) * kSparseCost < all) {
    Buffer<double> products = sparse_products(x_, side);
    take_off_mean(side, products);
    return products;
  }
  Buffer<double> products(n * n, 0.0);
  Buffer<double> panel(n * std::min(kDepth, depth));
  Progress::Stage stage(progress, "products", (depth + kDepth - 1) / kDepth);
  for (Index from = 0; from < depth; from += kDepth) {
    const Index count = std::min(kDepth, depth - from);
    copy_panel(side, from, count, panel.data());
    add_tiles(panel.data(), n, count, products.data());
    stage.advance();
  }
  return products;
}

Buffer<double> CentredTable::products_of(Side side, std::span<const double> weights,
                                         Index count) const {
  const Index n = size(side);
  const Index depth = side == Side::rows ? cols() : rows();
  Buffer<double> products(count * count, 0.0);
  Buffer<double> panel(n * std::min(kDepth, depth));
  Buffer<double> combined(count * std::min(kDepth, depth));
  for (Index from = 0; from < depth; from += kDepth) {
    const Index width = std::min(kDepth, depth - from);
    copy_panel(side, from, width, panel.data());
    parallel_for(count, kRowBlock, [&](Index begin, Index end) {
      multiply(weights.data() + begin * n, panel.data(), end - begin, n, width,
               combined.data() + begin * width);
    });
    add_tiles(combined.data(), count, width, products.data());
  }
  return products;
}

RowVectors CentredTable::times(const RowVectors& b) const { return times(all_rows_, b); }

RowVectors CentredTable::times(std::span<const Index> rows, const RowVectors& b) const {
  RowVectors out{b.width, Buffer<double>(std::ssize(rows) * b.width, 0.0)};
  const std::vector<double> of_mean = weighted_sum(mean_, b);
  parallel_for(std::ssize(rows), kRowBlock, [&](Index begin, Index end) {
    if (stays_sparse_) {
      for (Index s = begin; s < end; ++s) {
        x_.visit([&](const auto& x) { add_row_product(x, rows[s], b, out.row(s)); });
        for (Index c = 0; c < b.width; ++c) out.row(s)[c] -= of_mean[c];
      }
      return;
    }
    Buffer<double> block((end - begin) * std::min(kDepth, cols()));
    for (Index first = 0; first < cols(); first += kDepth) {
      const Index width = std::min(kDepth, cols() - first);
      copy_block(rows.subspan(begin, end - begin), first, width, block.data());
      add_product(block.data(), width, b.row(first), end - begin, width, b.width, out.row(begin));
    }
  });
  return out;
}

RowVectors CentredTable::transposed_times(const RowVectors& v) const {
  RowVectors out{v.width, Buffer<double>(cols() * v.width, 0.0)};
  const std::vector<double> total = weighted_sum(std::vector<double>(rows(), 1.0), v);
  parallel_for(cols(), stays_sparse_ ? 1024 : kColumnBlock, [&](Index begin, Index end) {
    if (stays_sparse_) {
      x_.visit([&](const auto& x) { add_column_products(x, begin, end, v, out.values.data()); });
      for (Index r = begin; r < end; ++r)
        for (Index c = 0; c < v.width; ++c) out.row(r)[c] -= mean_[r] * total[c];
      return;
    }
    Buffer<double> block(std::min(kDepth, rows()) * (end - begin));
    for (Index from = 0; from < rows(); from += kDepth) {
      const Index count = std::min(kDepth, rows() - from);
      copy_block(std::span(all_rows_).subspan(from, count), begin, end - begin, block.data());
      add_transposed_product(block.data(), end - begin, v.row(from), end - begin, count, v.width,
                             out.row(begin));
    }
  });
  return out;
}

}  // namespace tamis
