#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "tamis/core/index.hpp"

/// Numbers as people write them: 1,234.5 and 1.234,5 and 1 234,5 are the same one.
namespace tamis {

struct NumberStyle {
  char decimal = '.';
  bool has_groups = false;  ///< thousands may be set apart, by the other sign, a blank or '

  bool is_plain() const { return decimal == '.' && !has_groups; }
  bool operator==(const NumberStyle&) const = default;
};

/// 1 for true and 0 for false, in any case; nothing for another text.
std::optional<int> truth_of(std::string_view text);

/// Reads a whole cell of a table: a number of this style, or true or false; NaN if it means "no
/// value". Returns whether it was one of these.
template <std::floating_point T>
bool parse_cell(std::string_view text, NumberStyle style, T& value);

/// The sign of a unit that stands beside a number: % behind it, or $, €, £ or ¥ on either side;
/// empty if there is none.
std::string_view unit_sign(std::string_view text);

/// Whether it is a number in any style, or means "no value".
bool is_number_of_some_style(std::string_view text);

/// Finds the style in which most of the cells it saw are numbers.
class StyleVotes {
 public:
  void see(std::string_view cell);
  /// The plain style unless another one reads more cells.
  NumberStyle winner() const;
  /// A cell that another style, which reads as many cells as the winner, takes for another number.
  std::optional<std::string> undecided() const;
  /// The first cell that the winner reads and the plain style does not.
  std::string example() const { return examples_[winning()]; }
  /// How many cells could tell styles apart.
  Index seen() const { return seen_; }

 private:
  static constexpr std::size_t kCount = 4;
  std::size_t winning() const;

  std::array<Index, kCount> counts_{};
  std::array<std::string, kCount> examples_ = {};
  Index seen_ = 0;
  std::string two_fold_ = {};  // the first cell that is one number with a point, another without
};

}  // namespace tamis
