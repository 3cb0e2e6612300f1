#include "prepare/nearest_class.hpp"

#include <algorithm>
#include <memory>

#include "core/ties.hpp"
#include "prepare/scaled_block.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kRows = ScaledBlock::kRows;

/// Compares one block of rows with the labeled ones, block by block.
class Comparison {
 public:
  Comparison(const MatrixView& x, const Scaling& scaling)
      : x_(x), scaling_(scaling), columns_(all_indices(x.cols())) {}

  /// The nearest of the labeled rows for each of the given ones.
  std::vector<Index> nearest(std::span<const Index> rows, std::span<const Index> labeled) {
    std::vector<std::vector<RowDistance>> found(rows.size());
    for (Index from = 0; from < std::ssize(labeled); from += kRows) {
      const auto others = labeled.subspan(from, std::min(kRows, std::ssize(labeled) - from));
      measure(rows, others);
      for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = 0; b < others.size(); ++b)
          found[a].push_back({distances_[a * kRows + b], others[b]});
    }
    std::vector<Index> nearest;
    for (auto& candidates : found) {
      keep_nearest(candidates, 1);
      nearest.push_back(candidates.front().row);
    }
    return nearest;
  }

 private:
  void measure(std::span<const Index> rows, std::span<const Index> others) {
    distances_.fill(0.0);
    for (Index from = 0; from < std::ssize(columns_); from += ScaledBlock::kColumns) {
      const auto panel = std::span(columns_).subspan(
          from, std::min(ScaledBlock::kColumns, std::ssize(columns_) - from));
      left_.load(x_, rows, panel, scaling_);
      right_.load(x_, others, panel, scaling_);
      for (Index c = 0; c < std::ssize(panel); ++c)
        add_squared_differences(left_.column(c), std::ssize(rows), right_.column(c), distances_);
    }
  }

  const MatrixView& x_;
  const Scaling& scaling_;
  std::vector<Index> columns_;
  ScaledBlock left_;
  ScaledBlock right_;
  BlockPairs distances_{};
};

}  // namespace

std::vector<Index> nearest_classes(const Problem& problem, const Scaling& scaling) {
  const std::vector<Index> labeled = labeled_rows(problem.known);
  const std::vector<Index> others = unlabeled_rows(problem);
  std::vector<Index> classes = problem.known.labels;
  parallel_for_with(
      std::ssize(others), kRows,
      [&] { return std::make_unique<Comparison>(problem.matrix, scaling); },
      [&](std::unique_ptr<Comparison>& comparison, Index begin, Index end) {
        const auto rows = std::span(others).subspan(begin, end - begin);
        const std::vector<Index> nearest = comparison->nearest(rows, labeled);
        for (std::size_t a = 0; a < rows.size(); ++a)
          classes[rows[a]] = problem.known.label(nearest[a]);
      });
  return classes;
}

}  // namespace tamis
