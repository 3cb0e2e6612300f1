#pragma once

#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "tamis/core/options.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

struct SomOptions {
  std::optional<Index> units = std::nullopt;

  static constexpr auto fields() {
    return std::tuple{field("units", &SomOptions::units, at_least(2),
                            "units of the map; auto: 5 times the root of the number of rows")};
  }
};

/// A map of units on a hexagonal sheet, each with a reference vector.
struct Som {
  Index sheet_rows = 0;
  Index sheet_cols = 0;
  std::vector<double> codebook = {};    ///< units x columns: unit (r, c) is row r * sheet_cols + c
  std::vector<Index> best_units = {};   ///< of each given row
  double quantization_error = 0.0;      ///< mean distance of a row and its best unit
  std::vector<double> error_by_epoch = {};
  std::vector<std::string> warnings = {};

  Index n_units() const { return sheet_rows * sheet_cols; }
};

}  // namespace tamis
