#include "levels/decoy_columns.hpp"

#include <algorithm>

#include "levels/row_permutation.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns whose products with a target are taken together.
constexpr Index kBatch = 32;

/// Codes at the given sorted places (ascending, with the row each belongs to).
void copy_permuted(const DecoyColumn& column, const std::vector<std::pair<Index, Index>>& places,
                   double* out) {
  auto end = column.ends.begin();
  for (const auto& [place, row] : places) {
    Index step = 1;  // the next code is near: look twice as far each time
    while (column.ends.end() - end > step && end[step - 1] <= place) step *= 2;
    end = std::upper_bound(end, end + std::min<Index>(step, column.ends.end() - end), place);
    out[row] = column.codes[end - column.ends.begin()];
  }
}

}  // namespace

DecoyColumn decoy_column(Index column, Index target, const std::vector<CodeCount>& counts) {
  DecoyColumn decoy{.column = column, .target = target};
  Index end = 0;
  for (const CodeCount& entry : counts) {
    end += static_cast<Index>(entry.count);
    decoy.codes.push_back(entry.code);
    decoy.ends.push_back(end);
  }
  return decoy;
}

DecoySums::DecoySums(const std::vector<DecoyGroup>& groups, std::vector<Index> widths, Index rows,
                     std::uint64_t seed)
    : groups_(groups), widths_(std::move(widths)), rows_(rows), seed_(seed) {
  for (const Index width : widths_) widest_ = std::max(widest_, width);
  for (Index g = 0; g < std::ssize(groups_); ++g) {
    const std::vector<DecoyColumn>& columns = groups_[g].columns;
    sums.emplace_back(groups_[g].decoys() * widest_, 0);
    for (Index k = 0; k < groups_[g].permutations; ++k)
      for (Index first = 0; first < std::ssize(columns);) {
        Index end = first;
        while (end < std::min(std::ssize(columns), first + kBatch) &&
               columns[end].target == columns[first].target)
          ++end;
        batches_.push_back({g, k, first, end - first});
        first = end;
      }
  }
}

void DecoySums::update(const std::vector<RowVectors>& targets, Index count, Index first_row) {
  if (batches_.empty()) return;
  using Places = std::vector<std::pair<Index, Index>>;
  std::vector<Index> first_order;
  for (Index all = 0; const DecoyGroup& group : groups_) {
    first_order.push_back(all);
    all += group.permutations;
  }
  std::vector<Places> orders(first_order.back() + groups_.back().permutations);
  parallel_for(std::ssize(orders), 1, [&](Index order, Index) {
    const Index g = std::ranges::upper_bound(first_order, order) - first_order.begin() - 1;
    const RowPermutation permuted(
        rows_, seed_, groups_[g].first_stream + static_cast<std::uint64_t>(order - first_order[g]));
    for (Index i = 0; i < count; ++i) orders[order].emplace_back(permuted(first_row + i), i);
    std::ranges::sort(orders[order]);
  });
  parallel_for(std::ssize(batches_), 1, [&](Index b, Index) {
    const Batch& batch = batches_[b];
    add_batch(batch, targets, orders[first_order[batch.group] + batch.permutation]);
  });
}

void DecoySums::add_batch(const Batch& batch, const std::vector<RowVectors>& targets,
                          const std::vector<std::pair<Index, Index>>& places) {
  const std::vector<DecoyColumn>& columns = groups_[batch.group].columns;
  const RowVectors& target = targets[columns[batch.first].target];
  if (target.width == 0) return;
  const Index rows = std::ssize(places);
  Buffer<double> codes(batch.count * rows);
  for (Index s = 0; s < batch.count; ++s)
    copy_permuted(columns[batch.first + s], places, &codes[s * rows]);
  Buffer<double> products(batch.count * target.width, 0.0);
  add_product(codes.data(), rows, target.values.data(), batch.count, rows, target.width,
              products.data());
  for (Index s = 0; s < batch.count; ++s) {
    const Index decoy = batch.permutation * std::ssize(columns) + batch.first + s;
    for (Index c = 0; c < target.width; ++c)
      sums[batch.group][decoy * widest_ + c] +=
          static_cast<std::int64_t>(products[s * target.width + c]);
  }
}

}  // namespace tamis
