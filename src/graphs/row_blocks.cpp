#include "graphs/row_blocks.hpp"

#include <algorithm>
#include <array>

namespace tamis {
namespace {

constexpr Index kRows = RowBlocks::kRows;
constexpr Index kMostKept = Index{1} << 22;      ///< values, of 32 MB
constexpr Index kMostOfABlock = kMostKept / 16;  ///< as eight tiles have two each

/// The values of a panel of so many columns.
Index panel_size(Index width) { return RowBlocks::padded(width) * kRows; }

/// The mean of the first rows. Of a column that is constant there it is that value, without
/// rounding.
Buffer<double> mean_of_first(const MatrixView& x, std::span<const Index> rows) {
  const Index n = std::min(kRows, std::ssize(rows));
  Buffer<double> means(x.cols());
  std::array<double, RowBlocks::kPanelSize> copy;
  for (Index first = 0; first < x.cols(); first += RowBlocks::kWidth) {
    const Index width = std::min(RowBlocks::kWidth, x.cols() - first);
    copy_columns(x, rows.first(n), first, width, copy.data());
    for (Index c = 0; c < width; ++c) {
      double differences = 0.0;
      for (Index a = 1; a < n; ++a) differences += copy[a * width + c] - copy[c];
      means[first + c] = copy[c] + differences / static_cast<double>(n);
    }
  }
  return means;
}

}  // namespace

RowBlocks::RowBlocks(const MatrixView& x, const RowGroups& groups, Origin origin)
    : x_(x), cols_(x.cols()) {
  for (const std::vector<Index>& rows : groups) {
    if (rows.size() < 2) continue;
    if (origin == Origin::amid_group) origins_.push_back(mean_of_first(x, rows));
    const double* const from_where = origins_.empty() ? nullptr : origins_.back().data();
    const Index end = count() + (std::ssize(rows) + kRows - 1) / kRows;
    for (Index from = 0; from < std::ssize(rows); from += kRows)
      blocks_.push_back({std::span(rows).subspan(from, std::min(kRows, std::ssize(rows) - from)),
                         end, from_where});
  }
  if (count() * panel_size(cols_) > kMostKept) return;
  kept_.resize(count() * panel_size(cols_));
  for (Index b = 0; b < count(); ++b)
    for (Index first = 0; first < cols_; first += kWidth)
      turn(b, first, std::min(kWidth, cols_ - first),
           kept_.data() + b * panel_size(cols_) + first * kRows);
}

const double* RowBlocks::panel(Index block, Index first, double* scratch) const {
  if (!kept_.empty()) return kept_.data() + block * panel_size(cols_) + first * kRows;
  turn(block, first, std::min(kWidth, cols_ - first), scratch);
  return scratch;
}

Index RowBlocks::size_worth_keeping() const {
  const Index size = panel_size(cols_);
  return kept_.empty() && size <= kMostOfABlock ? size : 0;
}

void RowBlocks::turn(Index block, Index first, Index width, double* panel) const {
  const std::span<const Index> rows = blocks_[block].rows;
  const double* const origin = blocks_[block].origin;
  const Index n = std::ssize(rows);
  std::array<double, kPanelSize> copy;
  copy_columns(x_, rows, first, width, copy.data());
  for (Index c = 0; c < width; ++c) {
    double* const column = panel + c * kRows;
    const double zero = origin == nullptr ? 0.0 : origin[first + c];
    for (Index a = 0; a < n; ++a) column[a] = copy[a * width + c] - zero;
    std::fill(column + n, column + kRows, 0.0);
  }
  std::fill(panel + width * kRows, panel + panel_size(width), 0.0);
}

}  // namespace tamis
