#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "linalg/ranked_table.hpp"
#include "tamis/core/knowledge.hpp"

namespace tamis {

/// Of labels among their rows, to see what chance would do.
inline constexpr Index kLabelPermutations = 999;

/// How often labels that are permuted among their rows say as much of the columns as the given ones
/// do: (1 + permutations with a sum of G_j B_j as large) / 1000, over 999 of them; B_j is the sum
/// of squares of ranked column j between the classes, or what the values explain of it by a line,
/// G_j its spread. Of more than 1000 known rows 1000, drawn at random, are looked at, as many as
/// can be of each class. Nothing if there are neither two classes nor values.
std::optional<double> label_p(const RankedTable& z, const Knowledge& known, std::uint64_t seed);

/// The rows that it looks at, ascending.
std::vector<Index> label_p_rows(const Knowledge& known, std::uint64_t seed);

}  // namespace tamis
