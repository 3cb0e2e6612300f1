#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// Those of ascending rows that are in a run of rows, counted from its first.
inline std::vector<Index> places_in_run(std::span<const Index> rows, Index first, Index count) {
  std::vector<Index> found;
  const auto begin = std::ranges::lower_bound(rows, first);
  for (auto row = begin; row != rows.end() && *row < first + count; ++row)
    found.push_back(*row - first);
  return found;
}

}  // namespace tamis
