#include "levels/column_scan.hpp"

#include <algorithm>

#include "levels/column_chunks.hpp"

namespace tamis {

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
  struct NoScratch {};
  for_each_column_chunk(
      block, [] { return NoScratch{}; },
      [&](NoScratch&, Index r, Index, std::span<const double> values) {
        Column& column = columns_[r];
        std::uint64_t least = column.least;
        std::uint64_t largest = column.largest;
        for (const double value : values) {
          const std::uint64_t key = value_key(value);
          least = std::min(least, key);
          largest = std::max(largest, key);
          column.histogram.add(key >> kBucketShift, 1);
        }
        column.least = least;
        column.largest = largest;
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
