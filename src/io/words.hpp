#pragma once

#include <algorithm>
#include <string_view>

/// Text that is lines of words.
namespace tamis {

inline constexpr std::string_view kBlanks = " \t\r";

/// Cuts the next line off the text, without its end.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// Cuts the next word off the line; empty at its end.
inline std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace tamis
