#include "tamis/core/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "tamis/core/error.hpp"

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

void detail::check_range(std::string_view owner, std::string_view option, double value,
                         Range range) {
  if (!std::isfinite(value))
    throw InvalidArgument(fmt::format("{}: {} = {} is not a finite number", owner, option, value));
  if (!range.contains(value))
    throw InvalidArgument(
        fmt::format("{}: {} = {} must be{}", owner, option, value, describe(range)));
}

}  // namespace tamis
