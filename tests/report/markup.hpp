#pragma once

#include <string>
#include <string_view>

#include "tamis/core/index.hpp"

namespace tamis::test {

inline Index count_of(std::string_view part, std::string_view text) {
  Index count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace tamis::test
