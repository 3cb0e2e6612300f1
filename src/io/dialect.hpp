#pragma once

#include <string_view>

#include "io/delimited.hpp"

/// Finds out by looking how a text is delimited.
namespace tamis {

/// So much of a text shows how it is delimited.
inline constexpr std::size_t kDialectBytes = std::size_t{1} << 20;

/// What may separate the columns of a table, the surest first: a comma may be a decimal sign, and a
/// blank may stand within a name.
inline constexpr std::string_view kTableDelimiters = "\t;,| ";
/// The same of labels and pairs, whose texts may hold blanks.
inline constexpr std::string_view kListDelimiters = "\t;,|";

/// The one of the candidates that occurs equally often in each of the first records; the first of
/// them may have one less, for names of rows need no title. Of several, the one that leaves the
/// greatest share of numbers between; of none, the most frequent one of the first record. A text
/// without any is one column.
char detect_delimiter(std::string_view text, std::string_view candidates);
Dialect detect_dialect(std::string_view text, std::string_view candidates);

}  // namespace tamis
