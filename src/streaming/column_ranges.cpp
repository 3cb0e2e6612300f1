#include "streaming/column_ranges.hpp"

#include <algorithm>
#include <limits>

#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Columns whose bounds stay in the nearest cache while rows go by.
constexpr Index kColumnsAtOnce = 512;

/// The least value of no rows.
constexpr double kNoValue = std::numeric_limits<double>::infinity();

/// 0 for -0, which is as small: which of the two came first must leave no trace.
double unsigned_zero(double value) { return value + 0.0; }

template <class T>
void widen(const DenseView<T>& x, std::vector<double>& least, std::vector<double>& largest) {
  parallel_for(x.cols(), kColumnsAtOnce, [&](Index begin, Index end) {
    std::vector<T> low(x.row(0) + begin, x.row(0) + end);
    std::vector<T> high = low;
    for (Index i = 1; i < x.rows(); ++i) {
      const T* const row = x.row(i) + begin;
      for (Index c = 0; c < end - begin; ++c) {
        low[c] = row[c] < low[c] ? row[c] : low[c];
        high[c] = row[c] > high[c] ? row[c] : high[c];
      }
    }
    for (Index c = 0; c < end - begin; ++c) {
      least[begin + c] = std::min(least[begin + c], unsigned_zero(low[c]));
      largest[begin + c] = std::max(largest[begin + c], unsigned_zero(high[c]));
    }
  });
}

template <class T>
void widen(const CsrView<T>& x, std::vector<double>& least, std::vector<double>& largest) {
  std::vector<Index> stored(x.cols(), 0);
  const auto see = [&](Index r, double value) {
    least[r] = std::min(least[r], unsigned_zero(value));
    largest[r] = std::max(largest[r], unsigned_zero(value));
  };
  for (Index i = 0; i < x.rows(); ++i)
    for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e) {
      ++stored[x.row_columns(i)[e]];
      see(x.row_columns(i)[e], static_cast<double>(x.row_values(i)[e]));
    }
  for (Index r = 0; r < x.cols(); ++r)
    if (stored[r] < x.rows()) see(r, 0.0);
}

}  // namespace

void write(const BadValues& bad, ByteWriter& writer) {
  writer.put(bad.missing.cells);
  writer.put(bad.missing.rows);
  writer.put_all(std::vector<Index>(bad.missing.columns.begin(), bad.missing.columns.end()));
  writer.put(bad.not_finite);
  writer.put(bad.too_large);
}

BadValues read_bad_values(ByteReader& reader) {
  BadValues bad;
  bad.missing.cells = reader.get<Offenders>();
  bad.missing.rows = reader.get<Index>();
  const auto columns = reader.get_all<std::vector<Index>>();
  bad.missing.columns.insert(columns.begin(), columns.end());
  bad.not_finite = reader.get<Offenders>();
  bad.too_large = reader.get<Offenders>();
  return bad;
}

ColumnRanges::ColumnRanges(Index cols) : least_(cols, kNoValue), largest_(cols, -kNoValue) {}

ColumnRanges::ColumnRanges(ByteReader& reader)
    : least_(reader.get_all<std::vector<double>>()),
      largest_(reader.get_all<std::vector<double>>()),
      bad_(read_bad_values(reader)) {}

void ColumnRanges::update(const MatrixView& block, Index first_row) {
  if (block.rows() == 0) return;
  bad_.merge(find_bad_values(block, first_row));
  if (!bad_.empty()) return forget_ranges();  // they would depend on the order of blocks
  block.visit([&](const auto& x) { widen(x, least_, largest_); });
}

void ColumnRanges::merge(const ColumnRanges& other) {
  bad_.merge(other.bad_);
  for (std::size_t r = 0; r < least_.size(); ++r) {
    least_[r] = std::min(least_[r], other.least_[r]);
    largest_[r] = std::max(largest_[r], other.largest_[r]);
  }
  if (!bad_.empty()) forget_ranges();
}

void ColumnRanges::forget_ranges() {
  std::ranges::fill(least_, kNoValue);
  std::ranges::fill(largest_, -kNoValue);
}

void ColumnRanges::write(ByteWriter& writer) const {
  writer.put_all(least_);
  writer.put_all(largest_);
  tamis::write(bad_, writer);
}

Pass RangeState::pass(Index cols) {
  ByteWriter writer;
  writer.put(cols);
  return {std::string(kKind), writer.take()};
}

RangeState::RangeState(const Pass& pass) : ranges_(ByteReader(pass.broadcast).get<Index>()) {}

RangeState::RangeState(const Pass& /*pass*/, std::span<const std::byte> bytes)
    : ranges_([&] {
        ByteReader reader(bytes);
        ColumnRanges ranges(reader);
        reader.expect_end();
        return ranges;
      }()) {}

void RangeState::update(const MatrixView& block, Index first_row) {
  ranges_.update(block, first_row);
}

void RangeState::merge(PassState& other) { ranges_.merge(static_cast<RangeState&>(other).ranges_); }

Bytes RangeState::bytes() const {
  ByteWriter writer;
  ranges_.write(writer);
  return writer.take();
}

}  // namespace tamis
