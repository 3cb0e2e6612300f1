#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "linalg/ranked_table.hpp"
#include "tamis/core/knowledge.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// A column that has to do with the labels, or values, as the known rows alone show.
struct LoneColumn {
  Index column = 0;
  double p = 1.0;  ///< that labels permuted among their rows have as much to do with some column
};

/// The one of the given columns that explains most of the labels, if chance would not, at a level
/// of 0.01. Looks at the rows that label_p looks at, and at 999 permutations of their labels.
/// Nothing if there are neither two classes nor values.
std::optional<LoneColumn> lone_column(const RankedTable& z, const Knowledge& known,
                                      std::span<const Index> columns, std::uint64_t seed);

/// A target that other columns make says nothing of a column that tells of the labels alone. Warns,
/// as `who`, if a column was judged so and is not relevant, but is such a lone one.
void warn_of_lone_columns(std::string_view who, const Relevance& relevance, const RankedTable& z,
                          const Knowledge& known, const std::vector<std::string>& feature_names,
                          std::uint64_t seed, Diagnostics& diagnostics);

}  // namespace tamis
