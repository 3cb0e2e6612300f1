#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "levels/value_key.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// How many values of a column are in each bucket of keys. Of the buckets, in pages, only pages
/// that hold something are there.
class KeyHistogram {
 public:
  void add(std::size_t bucket, std::uint64_t count) {
    std::uint16_t& page = page_of_[bucket / kPage];
    if (page == 0) page = new_page();
    counts_[(page - 1U) * kPage + bucket % kPage] += count;
  }
  /// Buckets that hold something, ascending, and how much.
  std::vector<std::pair<std::size_t, std::uint64_t>> occupied() const;

 private:
  static constexpr std::size_t kPage = 64;

  std::uint16_t new_page() {
    counts_.resize(counts_.size() + kPage, 0);
    return static_cast<std::uint16_t>(counts_.size() / kPage);
  }

  std::array<std::uint16_t, kBuckets / kPage> page_of_{};  ///< from 1; 0: nothing there
  std::vector<std::uint64_t> counts_;
};

/// The first look at the columns of a table, whose values are finite: their extremes, and roughly
/// how their values are distributed. Blocks of rows may come in any order, and several scans be
/// merged in any.
class ColumnScan {
 public:
  explicit ColumnScan(Index cols);

  void update(const MatrixView& block);
  void merge(const ColumnScan& other);

  Index cols() const { return std::ssize(columns_); }
  Index rows() const { return rows_; }

  struct Column {
    std::uint64_t least = ~std::uint64_t{0};  ///< keys
    std::uint64_t largest = 0;
    KeyHistogram histogram = {};
  };
  const Column& column(Index r) const { return columns_[r]; }
  Column& column(Index r) { return columns_[r]; }
  void add_rows(Index count) { rows_ += count; }

 private:
  Index rows_ = 0;
  std::vector<Column> columns_;
};

}  // namespace tamis
