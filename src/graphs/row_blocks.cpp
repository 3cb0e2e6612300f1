#include "graphs/row_blocks.hpp"

#include <algorithm>
#include <array>

namespace tamis {
namespace {

constexpr Index kRows = RowBlocks::kRows;
constexpr Index kMostKept = Index{1} << 22;      ///< values, of 32 MB
constexpr Index kMostOfABlock = kMostKept / 16;  ///< as eight tiles have two each

/// The values of a panel of so many columns.
Index panel_size(Index width) {
  constexpr Index kMultiple = RowBlocks::kColumnMultiple;
  return (width + kMultiple - 1) / kMultiple * kMultiple * kRows;
}

}  // namespace

RowBlocks::RowBlocks(const MatrixView& x, const RowGroups& groups) : x_(x), cols_(x.cols()) {
  for (const std::vector<Index>& rows : groups) {
    if (rows.size() < 2) continue;
    const Index end = count() + (std::ssize(rows) + kRows - 1) / kRows;
    for (Index from = 0; from < std::ssize(rows); from += kRows)
      blocks_.push_back(
          {std::span(rows).subspan(from, std::min(kRows, std::ssize(rows) - from)), end});
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
  const Index n = std::ssize(rows);
  std::array<double, kPanelSize> copy;
  copy_columns(x_, rows, first, width, copy.data());
  for (Index c = 0; c < width; ++c) {
    double* const column = panel + c * kRows;
    for (Index a = 0; a < n; ++a) column[a] = copy[a * width + c];
    std::fill(column + n, column + kRows, 0.0);
  }
  std::fill(panel + width * kRows, panel + panel_size(width), 0.0);
}

}  // namespace tamis
