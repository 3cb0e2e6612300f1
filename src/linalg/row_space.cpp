#include "linalg/row_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/eigenbasis.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Squared singular values that exceed this share of the largest are right to ten digits.
constexpr double kDistinct = 1e-6;
/// Those that exceed this share of the largest of all count: singular values of 1e-10.
constexpr double kCounts = 1e-20;

constexpr Index kGrain = 16;

}  // namespace

RowSpace::RowSpace(const CentredTable& table, const Progress& progress)
    : table_(table), side_(table.rows() < table.cols() ? Side::rows : Side::columns) {
  if (table.size(side_) > kLargestSide)
    throw DataError(fmt::format(
        "projections of {} rows and {} columns: one of the two may be at most {}, for all products "
        "of the fewer are needed; take a sample of the rows, or the best features first",
        table.rows(), table.cols(), kLargestSide));
  find(progress);
}

Buffer<double> RowSpace::keep_distinct(const std::vector<double>& squares,
                                       const Buffer<double>& vectors) {
  const Index side = table_.size(side_);
  const double largest = squares_.empty() ? squares.front() : squares_.front();
  const double least = std::max(kDistinct * squares.front(), kCounts * largest);
  const auto end = std::ranges::find_if(squares, [&](double value) { return value <= least; });
  const Index kept = end - squares.begin();
  squares_.insert(squares_.end(), squares.begin(), end);
  vectors_.insert(vectors_.end(), vectors.begin(), vectors.begin() + kept * side);
  return {vectors.begin() + kept * side, vectors.end()};
}

void RowSpace::find(const Progress& progress) {
  const Index side = table_.size(side_);
  const Eigenbasis first = eigenbasis(table_.products(side_, progress), side);
  if (!(first.values.front() > 0.0)) return;
  Buffer<double> others = keep_distinct(first.values, first.vectors);
  while (!others.empty()) {
    const Index count = std::ssize(others) / side;
    const Eigenbasis finer = eigenbasis(table_.products_of(side_, others, count), count);
    if (finer.values.front() <= kCounts * squares_.front()) return;
    Buffer<double> turned(others.size());
    parallel_for(count, kGrain, [&](Index begin, Index end) {
      multiply(&finer.vectors[begin * count], others.data(), end - begin, count, side,
               &turned[begin * side]);
    });
    others = keep_distinct(finer.values, turned);
  }
}

RowVectors RowSpace::coordinates(std::span<const Index> rows) const {
  const Index side = table_.size(side_);
  if (side_ == Side::columns) {
    RowVectors axes{rank(), Buffer<double>(side * rank())};
    for (Index r = 0; r < side; ++r)
      for (Index a = 0; a < rank(); ++a) axes.row(r)[a] = vectors_[a * side + r];
    return table_.times(rows, axes);
  }
  RowVectors out{rank(), Buffer<double>(std::ssize(rows) * rank())};
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index a = 0; a < rank(); ++a)
      out.row(s)[a] = vectors_[a * side + rows[s]] * std::sqrt(squares_[a]);
  return out;
}

RowVectors RowSpace::directions(const RowVectors& b) const {
  const Index side = table_.size(side_);
  RowVectors weights = b;  // v_a = X_c'u_a / s_a
  if (side_ == Side::rows)
    for (Index a = 0; a < rank(); ++a)
      for (Index c = 0; c < b.width; ++c) weights.row(a)[c] /= std::sqrt(squares_[a]);
  RowVectors along{b.width, Buffer<double>(side * b.width, 0.0)};
  parallel_for(side, kGrain, [&](Index begin, Index end) {
    add_transposed_product(&vectors_[begin], side, weights.values.data(), end - begin, rank(),
                           b.width, along.row(begin));
  });
  if (side_ == Side::rows) along = table_.transposed_times(along);
  RowVectors out{table_.cols(), Buffer<double>(table_.cols() * b.width)};
  for (Index r = 0; r < table_.cols(); ++r)
    for (Index c = 0; c < b.width; ++c) out.row(c)[r] = along.row(r)[c];
  return out;
}

}  // namespace tamis
