#include "io/number_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tamis {

void append_number(std::string& text, double value) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

void append_number(std::string& text, float value) {
  fmt::format_to(std::back_inserter(text), "{}", value);
}

}  // namespace tamis
