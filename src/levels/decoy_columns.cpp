#include "levels/decoy_columns.hpp"

#include <algorithm>
#include <numeric>

#include "levels/remainder.hpp"
#include "levels/row_permutation.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns that share a permutation, whose products with a target are taken together.
constexpr Index kBatch = 32;
/// Of so few rows there are few multipliers: every column has its own permutations.
constexpr Index kFewRows = 4096;
/// Products with places of up to 2^41 rows fit 63 bits.
constexpr Index kMostMultipliers = Index{1} << 21;

}  // namespace

DecoyColumn decoy_column(Index column, Index target, Index multiplier,
                         const std::vector<CodeCount>& counts) {
  DecoyColumn decoy{.column = column, .target = target, .multiplier = multiplier};
  Index end = 0;
  for (const CodeCount& entry : counts) {
    end += static_cast<Index>(entry.count);
    decoy.codes.push_back(entry.code);
    decoy.ends.push_back(end);
  }
  return decoy;
}

Index draw_multiplier(RandomStream& random, Index rows) {
  for (;;) {
    const Index multiplier = 1 + random.below(std::min(rows, kMostMultipliers));
    if (std::gcd(multiplier, rows) == 1) return multiplier;
  }
}

CodesByPlace::CodesByPlace(const DecoyColumn& column, Index rows) : column_(&column) {
  constexpr int kPartBits = 13;  // more parts than codes: a part has two at most, mostly
  while (((rows - 1) >> shift_) >> kPartBits != 0) ++shift_;
  std::uint16_t code = 0;
  for (Index place = 0; place < rows; place += Index{1} << shift_) {
    while (column.ends[code] <= place) ++code;
    first_.push_back(code);
  }
}

DecoySums::DecoySums(const std::vector<DecoyGroup>& groups, std::vector<Index> widths, Index rows,
                     std::uint64_t seed)
    : groups_(groups), widths_(std::move(widths)), rows_(rows), seed_(seed) {
  for (const Index width : widths_) widest_ = std::max(widest_, width);
  for (Index g = 0; g < std::ssize(groups_); ++g) {
    sums.emplace_back(groups_[g].decoys() * widest_, 0);
    std::vector<CodesByPlace>& by_place = by_place_.emplace_back();
    for (const DecoyColumn& column : groups_[g].columns) by_place.emplace_back(column, rows);
    add_batches(g);
  }
}

void DecoySums::add_batches(Index group) {
  const std::vector<DecoyColumn>& columns = groups_[group].columns;
  const Index most = rows_ <= kFewRows ? 1 : kBatch;
  std::uint64_t stream = groups_[group].first_stream;
  for (Index k = 0; k < groups_[group].permutations; ++k)
    for (Index first = 0; first < std::ssize(columns);) {
      Index end = first + 1;
      while (end < std::min(std::ssize(columns), first + most) &&
             columns[end].target == columns[first].target)
        ++end;
      batches_.push_back({group, k * std::ssize(columns) + first, first, end - first, stream++});
      first = end;
    }
}

void DecoySums::update(const std::vector<RowVectors>& targets, Index count, Index first_row) {
  parallel_for(std::ssize(batches_), 1, [&](Index b, Index) {
    const Batch& batch = batches_[b];
    const RowVectors& target = targets[groups_[batch.group].columns[batch.first].target];
    if (target.width > 0) add_batch(batch, target, count, first_row);
  });
}

void DecoySums::add_batch(const Batch& batch, const RowVectors& target, Index count,
                          Index first_row) {
  const RowPermutation permuted(rows_, seed_, batch.stream);
  const Remainder remainder(static_cast<std::uint64_t>(rows_));
  std::vector<Index> places;
  for (Index i = 0; i < count; ++i) places.push_back(permuted(first_row + i));
  Buffer<double> codes(batch.count * count);
  for (Index s = 0; s < batch.count; ++s) {
    const Index multiplier = groups_[batch.group].columns[batch.first + s].multiplier;
    const CodesByPlace& by_place = by_place_[batch.group][batch.first + s];
    for (Index i = 0; i < count; ++i)
      codes[s * count + i] = by_place.at(
          static_cast<Index>(remainder(static_cast<std::uint64_t>(places[i] * multiplier))));
  }
  Buffer<double> products(batch.count * target.width, 0.0);
  add_product(codes.data(), count, target.values.data(), batch.count, count, target.width,
              products.data());
  for (Index s = 0; s < batch.count; ++s)
    for (Index c = 0; c < target.width; ++c)
      sums[batch.group][(batch.number + s) * widest_ + c] +=
          static_cast<std::int64_t>(products[s * target.width + c]);
}

}  // namespace tamis
