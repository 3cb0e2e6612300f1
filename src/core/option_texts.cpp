#include "core/option_texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

template <class T>
bool parse_whole(const std::string& text, T& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  return code == std::errc{} && stop == end;
}

[[noreturn]] void refuse_value(std::string_view owner, std::string_view option,
                               const std::string& text, std::string_view wanted) {
  throw InvalidArgument(fmt::format("{}: {} = '{}' is not {}", owner, option, text, wanted));
}

}  // namespace

namespace detail {

bool parse_boolean(std::string_view owner, std::string_view option, const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  refuse_value(owner, option, text, "true or false");
}

Index parse_integer(std::string_view owner, std::string_view option, const std::string& text) {
  Index value = 0;
  if (!parse_whole(text, value)) refuse_value(owner, option, text, "an integer");
  return value;
}

double parse_number(std::string_view owner, std::string_view option, const std::string& text) {
  double value = 0.0;
  if (!parse_whole(text, value) || !std::isfinite(value))
    refuse_value(owner, option, text, "a number");
  return value;
}

std::string parse_name(std::string_view owner, std::string_view option, const std::string& text) {
  if (text.empty()) refuse_value(owner, option, text, "a name");
  return text;
}

void refuse_word(std::string_view owner, std::string_view option, const std::string& text,
                 const std::vector<std::string>& words) {
  refuse_value(owner, option, text,
               fmt::format("one of {}{}", fmt::join(words, ", "), did_you_mean(text, words)));
}

void refuse_option(std::string_view owner, const std::string& option,
                   const std::vector<std::string>& known) {
  throw InvalidArgument(fmt::format("{} has no option '{}'{}", owner, option,
                                    known.empty() ? "; it takes none"
                                    : nearest_word(option, known).empty()
                                        ? fmt::format("; it takes {}", fmt::join(known, ", "))
                                        : did_you_mean(option, known)));
}

}  // namespace detail
}  // namespace tamis
