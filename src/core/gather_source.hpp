#pragma once

#include <span>
#include <variant>

#include "tamis/core/table.hpp"

namespace tamis {

/// A table of which some rows and columns are gathered again and again. Each value of
/// a column lies in another cache line of the table, of which nothing else is wanted if columns are
/// few: then a copy of a small table is kept column by column.
class GatherSource {
 public:
  /// What a copy may take: nobody notices so little.
  static constexpr Index kLargestCopy = Index{32} << 20;

  /// For `times` gatherings of so many columns each.
  GatherSource(const MatrixView& x, Index columns, Index times);

  /// What tamis::gathered() gives.
  OwnedTable gathered(std::span<const Index> rows, std::span<const Index> columns) const;
  bool has_copy() const { return !std::holds_alternative<std::monostate>(turned_); }

 private:
  MatrixView x_;
  std::variant<std::monostate, Buffer<double>, Buffer<float>> turned_;
};

}  // namespace tamis
