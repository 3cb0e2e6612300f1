#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// UTF-8 text in the cells of a terminal.
namespace tamis::cli {

/// The cells that text takes: two for a wide character, none for a combining one or a style (SGR).
std::size_t display_width(std::string_view text);

/// The text filled to exactly so many cells, from the right or (aligned_right) from the left; text
/// that is wider is cut, and ends with an ellipsis.
std::string fitted(std::string_view text, std::size_t width);
std::string aligned_right(std::string_view text, std::size_t width);

/// The text, cut likewise if it is wider, and not filled.
std::string shortened(std::string_view text, std::size_t width);

/// Breaks text at its spaces into lines of at most `width` cells, each but the first indented.
/// Words stay whole: one that is wider has a line of its own.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// `share` in [0, 1] of `width` cells in eighths of a cell.
std::string unicode_bar(double share, int width);

}  // namespace tamis::cli
