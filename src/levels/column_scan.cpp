#include "levels/column_scan.hpp"

#include <algorithm>

#include "core/simd.hpp"
#include "levels/column_chunks.hpp"

namespace tamis {
namespace {

/// The keys of at most kChunkRows values, and their extremes: a loop without branches, so that it
/// vectorises.
void take_keys(const double* values, Index count, std::uint64_t* keys, std::uint64_t& least,
               std::uint64_t& largest) {
  for_this_cpu([=, &least, &largest](auto) TAMIS_KERNEL {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    // Machines compare signed numbers.
    auto low = static_cast<std::int64_t>(least ^ kSign);
    auto high = static_cast<std::int64_t>(largest ^ kSign);
    for (Index i = 0; i < count; ++i) {
      keys[i] = value_key(values[i]);
      const auto key = static_cast<std::int64_t>(keys[i] ^ kSign);
      low = key < low ? key : low;
      high = key > high ? key : high;
    }
    least = static_cast<std::uint64_t>(low) ^ kSign;
    largest = static_cast<std::uint64_t>(high) ^ kSign;
  });
}

}  // namespace

std::vector<std::pair<std::size_t, std::uint64_t>> KeyHistogram::occupied() const {
  std::vector<std::pair<std::size_t, std::uint64_t>> buckets;
  for (std::size_t p = 0; p < page_of_.size(); ++p) {
    if (page_of_[p] == 0) continue;
    for (std::size_t b = 0; b < kPage; ++b)
      if (const std::uint64_t count = counts_[(page_of_[p] - 1U) * kPage + b]; count > 0)
        buckets.emplace_back(p * kPage + b, count);
  }
  return buckets;
}

ColumnScan::ColumnScan(Index cols) : columns_(cols) {}

void ColumnScan::update(const MatrixView& block) {
  for_each_column_chunk(
      block, {0, cols()}, [] { return std::vector<std::uint64_t>(kChunkRows); },
      [&](std::vector<std::uint64_t>& keys, Index r, const ColumnValues& chunk) {
        Column& column = columns_[r];
        take_keys(chunk.values.data(), std::ssize(chunk.values), keys.data(), column.least,
                  column.largest);
        for (std::size_t i = 0; i < chunk.values.size(); ++i)
          column.histogram.add(keys[i] >> kBucketShift, 1);
        if (chunk.zeros() == 0) return;
        const std::uint64_t zero = value_key(0.0);
        column.least = std::min(column.least, zero);
        column.largest = std::max(column.largest, zero);
        column.histogram.add(zero >> kBucketShift, chunk.zeros());
      });
  rows_ += block.rows();
}

void ColumnScan::merge(const ColumnScan& other) {
  rows_ += other.rows_;
  for (Index r = 0; r < cols(); ++r) {
    columns_[r].least = std::min(columns_[r].least, other.columns_[r].least);
    columns_[r].largest = std::max(columns_[r].largest, other.columns_[r].largest);
    for (const auto& [bucket, count] : other.columns_[r].histogram.occupied())
      columns_[r].histogram.add(bucket, count);
  }
}

}  // namespace tamis
