#pragma once

#include <optional>
#include <vector>

#include "streaming/column_ranges.hpp"
#include "streaming/pass.hpp"
#include "tamis/core/table.hpp"

namespace tamis {

/// Asks for some rows as they are, and for what is to be known of all the others: the ranges of
/// columns.
class ChosenRowsState : public PassState {
 public:
  static constexpr std::string_view kKind = "rows";
  /// @param rows ascending, each once
  static Pass pass(std::span<const Index> rows, Index cols);

  explicit ChosenRowsState(const Pass& pass);
  ChosenRowsState(const Pass& pass, std::span<const std::byte> bytes);

  void update(const MatrixView& block, Index first_row) override;
  void merge(PassState& other) override;
  Bytes bytes() const override;

  const ColumnRanges& ranges() const { return ranges_; }
  /// The rows that were found, ascending; nothing if there was no block at all.
  std::optional<OwnedTable> take_table();

 private:
  void sort();

  std::vector<Index> wanted_;
  ColumnRanges ranges_;
  std::vector<Index> found_;                       // rows of the table
  std::optional<OwnedTable> kept_ = std::nullopt;  // what they are, in that order
};

}  // namespace tamis
