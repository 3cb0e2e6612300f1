#pragma once

#include <span>
#include <string>
#include <vector>

#include "tamis/core/method.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// The columns that take two different values: only they can have a score.
/// @throws DataError if there is none
std::vector<bool> rankable_columns(const MethodInfo& method, const Problem& problem);
/// The same check of columns that someone else has looked at.
void require_rankable(const MethodInfo& method, const std::vector<bool>& varies);

/// Why no column has a score, for methods that see the labeled rows alone.
std::string constant_on_labeled_rows(const MethodInfo& method);

/// The columns that are marked, ascending.
std::vector<Index> marked_columns(const std::vector<bool>& marks);

/// Scores of all columns, given those of some; the others are undefined.
std::vector<double> spread_out(std::span<const double> values, std::span<const Index> columns,
                               Index cols);

/// Warns if a semi-supervised method is given neither labels nor pairs.
void warn_if_unsupervised(const MethodInfo& method, const Knowledge& known,
                          Diagnostics& diagnostics);

}  // namespace tamis
