#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "prepare/owned_problem.hpp"
#include "tamis/core/fields.hpp"

namespace tamis {

enum class ScalingKind { none, standard, minmax };
constexpr auto option_words(ScalingKind) {
  return std::array{std::pair{std::string_view("none"), ScalingKind::none},
                    std::pair{std::string_view("standard"), ScalingKind::standard},
                    std::pair{std::string_view("minmax"), ScalingKind::minmax}};
}

/// How columns are brought to one scale: (x - shift) / width, and 0 where the width is 0.
struct Scaling {
  std::vector<double> shift = {};
  std::vector<double> width = {};

  static constexpr auto fields() {
    return field_list(named("shift", &Scaling::shift), named("width", &Scaling::width));
  }
};

/// What the given rows say, and no others: mean and standard deviation (divided by n), or least
/// value and range. The width of a column that is constant on them is 0: it becomes 0 everywhere.
/// @throws InvalidArgument if there are no rows
Scaling fit_scaling(const MatrixView& x, std::span<const Index> rows, ScalingKind kind);

/// Scales the columns of a table in place, in its own precision. Constant columns are left alone,
/// and a sparse column is only divided, so that zeros stay zeros: scores made of differences do not
/// see the centre.
void scale_columns(OwnedTable& table, const Scaling& scaling);

/// The given rows of a problem as a problem of their own whose columns are scaled, dense.
OwnedProblem scaled(const Problem& whole, std::span<const Index> rows, const Scaling& scaling);

/// The given columns of the given rows, scaled; row-major, rows x columns.
Buffer<double> scaled_columns(const MatrixView& x, std::span<const Index> rows,
                              std::span<const Index> columns, const Scaling& scaling);

}  // namespace tamis
