#include "core/squared_differences.hpp"

#include <algorithm>
#include <numeric>

#include "core/adjacency.hpp"
#include "core/dense_panel.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Calls visit(panel, begin, end) for each panel of columns, in parallel.
template <class T, class Visit>
void for_each_panel(const DenseView<T>& x, Visit&& visit) {
  parallel_for_with(
      x.cols(), DensePanel<T>::kWidth, [&] { return DensePanel<T>(x.rows()); },
      [&](DensePanel<T>& panel, Index begin, Index end) {
        panel.load(x, begin, end);
        visit(panel, begin, end);
      });
}

/// The rows of some pairs, ascending, and the pairs by the places that rows have there.
struct JoinedRows {
  std::vector<Index> rows = {};
  std::vector<RowPair> pairs;

  JoinedRows(std::span<const RowPair> given, Index n_rows) : pairs(given.begin(), given.end()) {
    std::vector<Index> places(n_rows, -1);
    for (const RowPair& pair : pairs) places[pair.first] = places[pair.second] = 0;
    for (Index i = 0; i < n_rows; ++i)
      if (places[i] == 0) {
        places[i] = std::ssize(rows);
        rows.push_back(i);
      }
    for (RowPair& pair : pairs) {
      pair.first = places[pair.first];
      pair.second = places[pair.second];
    }
  }
};

/// Sums over pairs that leave out most rows, as those of a few labels do: only their rows are read.
template <class T>
void add_sums_of_few_rows(const DenseView<T>& x, const JoinedRows& joined, std::span<double> sums) {
  const PairRuns<T> runs(joined.pairs);
  parallel_for_with(
      x.cols(), DensePanel<T>::kWidth, [&] { return DensePanel<T>(std::ssize(joined.rows)); },
      [&](DensePanel<T>& panel, Index begin, Index end) {
        panel.load(x, joined.rows, begin, end);
        std::copy_n(panel.squared_differences(runs).begin(), end - begin, sums.begin() + begin);
      });
}

template <class T>
void add_sums(const DenseView<T>& x, std::span<const RowPair> pairs, std::span<double> sums) {
  constexpr Index kFew = 4;  // reading rows in turn is so many times as fast
  if (std::ssize(pairs) < x.rows()) {
    const JoinedRows joined(pairs, x.rows());
    if (kFew * std::ssize(joined.rows) <= x.rows()) return add_sums_of_few_rows(x, joined, sums);
  }
  const PairRuns<T> runs(pairs);
  for_each_panel(x, [&](const DensePanel<T>& panel, Index begin, Index end) {
    std::copy_n(panel.squared_differences(runs).begin(), end - begin, sums.begin() + begin);
  });
}

template <class T>
GraphSums sums_of(const DenseView<T>& x, std::span<const RowPair> pairs,
                  std::span<const double> weights) {
  GraphSums out{.differences = std::vector<double>(x.cols()), .rows = {}, .varies = {}};
  out.rows.total_weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  out.rows.mean.assign(x.cols(), 0.0);
  out.rows.squares.assign(x.cols(), 0.0);
  std::vector<char> varies(x.cols());  // bits of a vector<bool> cannot be written side by side
  const PairRuns<T> runs(pairs);
  for_each_panel(x, [&](const DensePanel<T>& panel, Index begin, Index end) {
    const Index width = end - begin;
    std::copy_n(panel.squared_differences(runs).begin(), width, out.differences.begin() + begin);
    for (Index l = 0; l < width; ++l) varies[begin + l] = panel.varies(l) ? 1 : 0;
    if (out.rows.total_weight <= 0.0) return;
    const auto moments = panel.weighted_moments(weights, out.rows.total_weight);
    std::copy_n(moments.means.begin(), width, out.rows.mean.begin() + begin);
    std::copy_n(moments.squares.begin(), width, out.rows.squares.begin() + begin);
  });
  out.varies.assign(varies.begin(), varies.end());
  return out;
}

/// Some columns of a sparse table, column by column.
struct ColumnEntries {
  std::vector<Index> offsets;
  std::vector<Index> rows;
  std::vector<double> values;

  template <class T>
  ColumnEntries(const CsrView<T>& x, Index begin, Index end) : offsets(end - begin + 1, 0) {
    for_each(x, begin, end, [&](Index, Index column, double) { ++offsets[column + 1]; });
    for (Index c = 0; c < end - begin; ++c) offsets[c + 1] += offsets[c];
    rows.resize(offsets.back());
    values.resize(offsets.back());
    std::vector<Index> next(offsets.begin(), offsets.end() - 1);
    for_each(x, begin, end, [&](Index row, Index column, double value) {
      rows[next[column]] = row;
      values[next[column]++] = value;
    });
  }

  template <class T, class Visit>
  static void for_each(const CsrView<T>& x, Index begin, Index end, Visit&& visit) {
    for (Index i = 0; i < x.rows(); ++i) {
      const std::span<const ColumnIndex> columns = x.row_columns(i);
      const auto from = std::ranges::lower_bound(columns, begin) - columns.begin();
      for (Index e = from; e < std::ssize(columns) && columns[e] < end; ++e)
        visit(i, columns[e] - begin, static_cast<double>(x.row_values(i)[e]));
    }
  }
};

/// Only pairs with a non-zero end count: visit the non-zeros and their partners; a pair with two
/// non-zero ends is counted at its first row.
template <class T>
void add_sums(const CsrView<T>& x, std::span<const RowPair> pairs, std::span<double> sums) {
  constexpr Index kSparseBlock = 512;
  const Adjacency adjacency(x.rows(), pairs);
  parallel_for(x.cols(), kSparseBlock, [&](Index begin, Index end) {
    const ColumnEntries entries(x, begin, end);
    std::vector<double> column(x.rows(), 0.0);
    for (Index c = 0; c < end - begin; ++c) {
      const Index from = entries.offsets[c];
      const Index to = entries.offsets[c + 1];
      for (Index e = from; e < to; ++e) column[entries.rows[e]] = entries.values[e];
      double sum = 0.0;
      for (Index e = from; e < to; ++e) {
        const Index i = entries.rows[e];
        for (Index s = adjacency.offsets[i]; s < adjacency.offsets[i + 1]; ++s) {
          const double other = column[adjacency.partners[s]];
          if (other != 0.0 && adjacency.partners[s] < i) continue;
          const double difference = entries.values[e] - other;
          sum += adjacency.weights[s] * (difference * difference);
        }
      }
      sums[begin + c] = sum;
      for (Index e = from; e < to; ++e) column[entries.rows[e]] = 0.0;
    }
  });
}

template <class T>
GraphSums sums_of(const CsrView<T>& x, std::span<const RowPair> pairs,
                  std::span<const double> weights) {
  return {.differences = squared_difference_sums(x, pairs),
          .rows = weighted_moments(x, all_indices(x.rows()), weights),
          .varies = varying_columns(x)};
}

}  // namespace

std::vector<double> squared_difference_sums(const MatrixView& x, std::span<const RowPair> pairs) {
  std::vector<double> sums(x.cols(), 0.0);
  if (!pairs.empty()) x.visit([&](const auto& view) { add_sums(view, pairs, sums); });
  return sums;
}

GraphSums graph_sums(const MatrixView& x, std::span<const RowPair> pairs,
                     std::span<const double> row_weights) {
  return x.visit([&](const auto& view) { return sums_of(view, pairs, row_weights); });
}

}  // namespace tamis
