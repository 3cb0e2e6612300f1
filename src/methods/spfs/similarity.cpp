#include "methods/spfs/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/simd.hpp"
#include "graphs/pair_tile.hpp"
#include "linalg/eigenpairs.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kTileRows = PairTile::kRows;
constexpr Index kPanelColumns = 64;
constexpr double kRankTolerance = 1e-10;

double dot(const double* a, const double* b, Index n) {
  return for_this_cpu(
      [=](auto) TAMIS_KERNEL { return sum_in_lanes(n, [&](Index i) { return a[i] * b[i]; }); });
}

/// How many of the leading eigenvalues count.
Index counting(const std::vector<double>& values, Index count) {
  Index rank = 0;
  while (rank < std::min(count, std::ssize(values)) && values[rank] > kRankTolerance * values[0])
    ++rank;
  return rank;
}

}  // namespace

ClassSimilarity::ClassSimilarity(const Knowledge& known) {
  const std::vector<Index> labeled = labeled_rows(known);
  const auto rows = static_cast<double>(labeled.size());
  for (const std::vector<Index>& members : rows_by_class(known)) {
    const auto size = static_cast<double>(members.size());
    const double value = 1.0 / std::sqrt(size);
    std::vector<double> column;
    for (const Index row : labeled)
      column.push_back((known.label(row) == known.label(members.front()) ? value : 0.0) -
                       value * size / rows);
    centered_.push_back(std::move(column));
  }
}

std::vector<double> ClassSimilarity::within(const StandardColumns& columns) const {
  std::vector<double> sums(columns.cols(), 0.0);
  for (const std::vector<double>& of_class : centered_) {
    const std::vector<double> products = columns.combined(of_class);
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += products[r] * products[r];
  }
  return sums;
}

std::vector<double> ClassSimilarity::products() const {
  std::vector<double> products;
  for (const auto& one : centered_)
    for (const auto& other : centered_)
      products.push_back(dot(one.data(), other.data(), std::ssize(one)));
  return products;
}

double ClassSimilarity::squared_norm() const {
  const std::vector<double> all = products();
  return std::inner_product(all.begin(), all.end(), all.begin(), 0.0);
}

Targets ClassSimilarity::targets(Index count) const {
  const Index classes = std::ssize(centered_);
  const EigenPairs pairs = leading_eigenpairs(products(), classes, classes);
  Targets targets;
  for (Index k = 0; k < counting(pairs.values, count); ++k) {
    std::vector<double> target(centered_[0].size(), 0.0);
    for (Index c = 0; c < classes; ++c)
      for (std::size_t i = 0; i < target.size(); ++i)
        target[i] += pairs.vectors[k][c] * centered_[c][i];
    targets.push_back(std::move(target));
  }
  return targets;
}

RbfSimilarity::RbfSimilarity(const MatrixView& x, double t)
    : rows_(x.rows()), kernel_(rows_ * rows_) {
  struct Scratch {
    explicit Scratch(const RowBlocks& blocks) : tile(blocks) {}
    PairTile tile;
    PairTile::Values values{};
  };
  const RowGroups rows(1, all_indices(rows_));
  const RowBlocks blocks(x, rows);
  parallel_for_with(
      rows_, kTileRows, [&] { return std::make_unique<Scratch>(blocks); },
      [&](std::unique_ptr<Scratch>& scratch, Index begin, Index end) {
        for (Index block = 0; block < blocks.count(); ++block) {
          scratch->tile.take(begin / kTileRows, block);
          scratch->tile.measure(scratch->values);
          heat_weights(scratch->values, 0.0, t);
          for (Index i = begin; i < end; ++i)
            std::copy_n(scratch->values.begin() + (i - begin) * kTileRows,
                        blocks.rows(block).size(), kernel_.begin() + i * rows_ + block * kTileRows);
        }
      });
  center();
}

void RbfSimilarity::center() {
  std::vector<double> means(rows_);
  const auto n = static_cast<double>(rows_);
  parallel_for(rows_, kTileRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      means[i] =
          std::accumulate(kernel_.begin() + i * rows_, kernel_.begin() + (i + 1) * rows_, 0.0) / n;
  });
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / n;
  parallel_for(rows_, kTileRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < rows_; ++j) kernel_[i * rows_ + j] += mean - means[i] - means[j];
  });
}

std::vector<double> RbfSimilarity::within(const StandardColumns& columns) const {
  std::vector<double> sums(columns.cols());
  parallel_for_with(
      columns.cols(), kPanelColumns, [&] { return Buffer<double>(kPanelColumns * rows_); },
      [&](Buffer<double>& products, Index begin, Index end) {
        multiply(columns.column(begin).data(), kernel_.data(), end - begin, rows_, rows_,
                 products.data());
        for (Index r = begin; r < end; ++r)
          sums[r] = dot(columns.column(r).data(), products.data() + (r - begin) * rows_, rows_);
      });
  return sums;
}

double RbfSimilarity::squared_norm() const {
  std::vector<double> sums(rows_);
  parallel_for(rows_, kTileRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      sums[i] = dot(kernel_.data() + i * rows_, kernel_.data() + i * rows_, rows_);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

Targets RbfSimilarity::targets(Index count) const {
  const EigenPairs pairs = leading_eigenpairs(kernel_, rows_, std::min(count, rows_ - 1));
  Targets targets;
  for (Index k = 0; k < counting(pairs.values, count); ++k) {
    targets.push_back(pairs.vectors[k]);
    for (double& value : targets.back()) value *= std::sqrt(pairs.values[k]);
  }
  return targets;
}

}  // namespace tamis
