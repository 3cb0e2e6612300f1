#pragma once

#include <optional>
#include <vector>

#include "tamis/core/matrix.hpp"

namespace tamis::cli {

struct Place {
  Index row = 0;
  Index column = 0;
};

/// What one look at the numbers of a table tells.
struct TableFacts {
  Index non_zeros = 0;
  Index missing = 0;  ///< NaN
  Index infinite = 0;
  std::optional<Place> first_not_finite = std::nullopt;
  std::vector<Index> constant_columns = {};
  Index duplicate_rows = 0;                   ///< rows equal to an earlier one
  std::vector<Index> duplicate_columns = {};  ///< equal to an earlier one, and not constant
};
TableFacts facts_of(const MatrixView& x);

}  // namespace tamis::cli
