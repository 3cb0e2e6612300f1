#pragma once

#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis {

using RowGroups = std::vector<std::vector<Index>>;

/// Rows of a group that have the same values (those of a bag, for instance, which are drawn with
/// replacement): one stands for all.
struct CoincidingRows {
  RowGroups groups = {};            ///< without the rows for which another one stands
  RowGroups members = {};           ///< two or more rows each, of which the first stands for all
  std::vector<double> copies = {};  ///< for how many each row stands; empty if all are different
};

/// O(rows x columns).
CoincidingRows coinciding_rows(const MatrixView& x, const RowGroups& groups);

}  // namespace tamis
