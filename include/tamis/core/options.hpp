#pragma once

#include <cmath>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tamis/core/error.hpp"
#include "tamis/core/fields.hpp"
#include "tamis/core/index.hpp"

/// Options are declared once: a plain struct with defaults, and a `fields()` that gives each member
/// its name, range and help. Flags, range checks, JSON and documentation tables are made from it.
namespace tamis {

/// The numbers that an option may take.
struct Range {
  double low = -HUGE_VAL;
  double high = HUGE_VAL;
  bool excludes_low = false;

  constexpr bool contains(double value) const {
    return (excludes_low ? value > low : value >= low) && value <= high;
  }
};
constexpr Range any_number() { return {}; }
constexpr Range at_least(double low) { return {.low = low}; }
constexpr Range positive() { return {.low = 0.0, .excludes_low = true}; }
constexpr Range between(double low, double high) { return {.low = low, .high = high}; }

/// One member of an options struct.
template <class Access>
struct Field {
  std::string_view name;
  Access access;
  Range range;
  std::string_view help;
  std::string_view unset_word = "auto";  ///< how people write an optional without a value

  /// The same optional field with another word for no value.
  constexpr Field unset_as(std::string_view word) const {
    Field other = *this;
    other.unset_word = word;
    return other;
  }

  /// The same field seen from a struct that holds this one as `member`.
  template <class Outer, class Inner>
  constexpr auto within(Inner Outer::*member) const {
    using Further = InnerAccess<Outer, Inner, Access>;
    return Field<Further>{name, Further{member, access}, range, help, unset_word};
  }
};

template <class Options, class T>
constexpr auto field(std::string_view name, T Options::*member, Range range,
                     std::string_view help) {
  using Access = MemberAccess<Options, T>;
  return Field<Access>{name, Access{member}, range, help};
}
template <class Options, class T>
constexpr auto field(std::string_view name, T Options::*member, std::string_view help) {
  return field(name, member, any_number(), help);
}

/// A value as programs see it; an unset optional is its word.
using OptionValue = std::variant<bool, Index, double, std::string>;
using NamedValues = std::vector<std::pair<std::string, OptionValue>>;

/// Values as people write them, by option name.
using OptionTexts = std::map<std::string, std::string>;

enum class OptionType { boolean, integer, number, word };

/// What `fields()` says of one option, for help texts and tables.
struct OptionInfo {
  std::string name;
  OptionType type;
  OptionValue default_value;
  /// Of an enumeration, or the unset word of an optional; a word without any is a free name.
  std::vector<std::string> words;
  Range range;
  std::string help;
};

/// "integer >= 1", "sum | ensemble | pairs", "number in [0, 1] or auto", "true | false", "name".
std::string describe_values(const OptionInfo& option);
/// A value as it would be written on a command line: shortest exact form of numbers.
std::string to_text(const OptionValue& value);

namespace detail {

void check_range(std::string_view owner, std::string_view option, double value, Range range);

template <class T>
void check_member(std::string_view owner, std::string_view option, const T& member, Range range) {
  if constexpr (is_optional<T>) {
    if (member) check_member(owner, option, *member, range);
  } else if constexpr (std::same_as<T, Index> || std::same_as<T, double>) {
    check_range(owner, option, static_cast<double>(member), range);
  }
}

}  // namespace detail

/// @throws InvalidArgument naming the owner, the option, its value and what is allowed
template <class Options>
void check_ranges(std::string_view owner, const Options& options) {
  detail::for_each_field<Options>([&](const auto& field) {
    detail::check_member(owner, field.name, field.access(options), field.range);
  });
}

}  // namespace tamis
