#include <algorithm>

#include "core/random.hpp"
#include "linalg/ranked_table.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// order[i] is where the value of row i goes.
std::vector<Index> row_permutation(Index n, std::uint64_t seed, std::uint64_t stream) {
  std::vector<Index> order = all_indices(n);
  RandomStream(seed, stream).shuffle(order);
  return order;
}

template <class T>
DenseRanks<T> permuted_columns(const DenseRanks<T>& ranks, Index n, std::span<const Index> columns,
                               std::uint64_t seed, std::uint64_t stream) {
  DenseRanks<T> result{Buffer<T>(n * std::ssize(columns))};
  parallel_for(std::ssize(columns), 1, [&](Index s, Index) {
    const std::vector<Index> order = row_permutation(n, seed, stream + s);
    for (Index i = 0; i < n; ++i)
      result.values[s * n + order[i]] = ranks.values[columns[s] * n + i];
  });
  return result;
}

template <class T>
SparseRanks<T> permuted_columns(const SparseRanks<T>& ranks, Index n,
                                std::span<const Index> columns, std::uint64_t seed,
                                std::uint64_t stream) {
  SparseRanks<T> result{.offsets = {0}};
  for (const Index column : columns) {
    result.base.push_back(ranks.base[column]);
    result.offsets.push_back(result.offsets.back() + ranks.offsets[column + 1] -
                             ranks.offsets[column]);
  }
  result.rows.resize(result.offsets.back());
  result.values.resize(result.offsets.back());
  parallel_for(std::ssize(columns), 1, [&](Index s, Index) {
    const std::vector<Index> order = row_permutation(n, seed, stream + s);
    std::vector<std::pair<Index, T>> entries;
    for (Index e = ranks.offsets[columns[s]]; e < ranks.offsets[columns[s] + 1]; ++e)
      entries.emplace_back(order[ranks.rows[e]], ranks.values[e]);
    std::ranges::sort(entries);
    for (Index to = result.offsets[s]; const auto& [row, value] : entries) {
      result.rows[to] = row;
      result.values[to++] = value;
    }
  });
  return result;
}

}  // namespace

RankedTable RankedTable::permuted(std::span<const Index> columns, std::uint64_t seed,
                                  std::uint64_t stream) const {
  std::vector<double> spread;
  for (const Index column : columns) spread.push_back(spread_[column]);
  return std::visit(
      [&](const auto& ranks) {
        return RankedTable(rows_, std::move(spread),
                           permuted_columns(ranks, rows_, columns, seed, stream));
      },
      storage_);
}

}  // namespace tamis
