#include "tamis/core/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace tamis {
namespace {

std::string describe(Range range) {
  const bool bounded_below = range.low > -HUGE_VAL;
  const bool bounded_above = range.high < HUGE_VAL;
  if (bounded_below && bounded_above)
    return fmt::format(" in {}{}, {}]", range.excludes_low ? '(' : '[', range.low, range.high);
  if (bounded_below) return fmt::format(" {} {}", range.excludes_low ? ">" : ">=", range.low);
  if (bounded_above) return fmt::format(" <= {}", range.high);
  return "";
}

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

std::string describe_values(const OptionInfo& option) {
  switch (option.type) {
    case OptionType::boolean:
      return "true | false";
    case OptionType::word:
      return option.words.empty() ? "name" : fmt::format("{}", fmt::join(option.words, " | "));
    case OptionType::integer:
    case OptionType::number:
      break;
  }
  std::string text = option.type == OptionType::integer ? "integer" : "number";
  text += describe(option.range);
  for (const std::string& word : option.words) text += " or " + word;
  return text;
}

std::string to_text(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

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

void check_range(std::string_view owner, std::string_view option, double value, Range range) {
  if (!std::isfinite(value))
    throw InvalidArgument(fmt::format("{}: {} = {} is not a finite number", owner, option, value));
  if (!range.contains(value))
    throw InvalidArgument(
        fmt::format("{}: {} = {} must be{}", owner, option, value, describe(range)));
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
