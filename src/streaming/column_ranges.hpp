#pragma once

#include <vector>

#include "core/bad_values.hpp"
#include "streaming/bytes.hpp"
#include "streaming/pass.hpp"

namespace tamis {

void write(const BadValues& bad, ByteWriter& writer);
BadValues read_bad_values(ByteReader& reader);

/// The least and the largest value of each column, and the values that no method can compute with;
/// if there are any, no ranges.
class ColumnRanges {
 public:
  explicit ColumnRanges(Index cols);
  explicit ColumnRanges(ByteReader& reader);

  void update(const MatrixView& block, Index first_row);
  void merge(const ColumnRanges& other);
  void write(ByteWriter& writer) const;

  const std::vector<double>& least() const { return least_; }
  const std::vector<double>& largest() const { return largest_; }
  const BadValues& bad_values() const { return bad_; }
  bool varies(Index column) const { return least_[column] < largest_[column]; }

 private:
  void forget_ranges();

  std::vector<double> least_;
  std::vector<double> largest_;
  BadValues bad_;
};

/// The pass that asks for them alone.
class RangeState : public PassState {
 public:
  static constexpr std::string_view kKind = "range";
  static Pass pass(Index cols);

  explicit RangeState(const Pass& pass);
  RangeState(const Pass& pass, std::span<const std::byte> bytes);

  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  const ColumnRanges& ranges() const { return ranges_; }

 private:
  ColumnRanges ranges_;
};

}  // namespace tamis
