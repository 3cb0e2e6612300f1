#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
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

template <class T>
struct OptionTraits;  // what a member's type means for people

template <>
struct OptionTraits<bool> {
  static constexpr OptionType type = OptionType::boolean;
};
template <>
struct OptionTraits<Index> {
  static constexpr OptionType type = OptionType::integer;
};
template <>
struct OptionTraits<double> {
  static constexpr OptionType type = OptionType::number;
};
template <WordEnum E>
struct OptionTraits<E> {
  static constexpr OptionType type = OptionType::word;
};
template <>
struct OptionTraits<std::string> {
  static constexpr OptionType type = OptionType::word;
};
template <class T>
struct OptionTraits<std::optional<T>> : OptionTraits<T> {};

template <class T>
OptionValue to_value(const T& member, std::string_view unset_word) {
  if constexpr (is_optional<T>)
    return member ? to_value(*member, unset_word) : OptionValue(std::string(unset_word));
  else if constexpr (WordEnum<T>)
    return std::string(word_of(member));
  else
    return member;
}

/// Parses the text of one value; throws InvalidArgument that names the owner, option and value.
bool parse_boolean(std::string_view owner, std::string_view option, const std::string& text);
Index parse_integer(std::string_view owner, std::string_view option, const std::string& text);
double parse_number(std::string_view owner, std::string_view option, const std::string& text);
std::string parse_name(std::string_view owner, std::string_view option, const std::string& text);
[[noreturn]] void refuse_word(std::string_view owner, std::string_view option,
                              const std::string& text, const std::vector<std::string>& words);
void check_range(std::string_view owner, std::string_view option, double value, Range range);
[[noreturn]] void refuse_option(std::string_view owner, const std::string& option,
                                const std::vector<std::string>& known);

template <WordEnum E>
std::vector<std::string> words_of() {
  std::vector<std::string> words;
  for (const auto& [word, value] : option_words(E{})) words.emplace_back(word);
  return words;
}

template <class T>
void parse_into(T& member, std::string_view owner, std::string_view option,
                std::string_view unset_word, const std::string& text) {
  if constexpr (is_optional<T>) {
    if (text == unset_word) {
      member = std::nullopt;
    } else {
      typename T::value_type value{};
      parse_into(value, owner, option, unset_word, text);
      member = value;
    }
  } else if constexpr (std::same_as<T, bool>) {
    member = parse_boolean(owner, option, text);
  } else if constexpr (std::same_as<T, Index>) {
    member = parse_integer(owner, option, text);
  } else if constexpr (std::same_as<T, double>) {
    member = parse_number(owner, option, text);
  } else if constexpr (std::same_as<T, std::string>) {
    member = parse_name(owner, option, text);
  } else {
    for (const auto& [word, value] : option_words(T{}))
      if (word == text) {
        member = value;
        return;
      }
    refuse_word(owner, option, text, words_of<T>());
  }
}

template <class T>
void check_member(std::string_view owner, std::string_view option, const T& member, Range range) {
  if constexpr (is_optional<T>) {
    if (member) check_member(owner, option, *member, range);
  } else if constexpr (std::same_as<T, Index> || std::same_as<T, double>) {
    check_range(owner, option, static_cast<double>(member), range);
  }
}

}  // namespace detail

/// What Options declares, with its defaults.
template <class Options>
std::vector<OptionInfo> describe_options() {
  std::vector<OptionInfo> all;
  const Options defaults{};
  detail::for_each_field<Options>([&](const auto& field) {
    using T = std::remove_cvref_t<decltype(field.access(defaults))>;
    OptionInfo info{.name = std::string(field.name),
                    .type = detail::OptionTraits<T>::type,
                    .default_value = detail::to_value(field.access(defaults), field.unset_word),
                    .words = {},
                    .range = field.range,
                    .help = std::string(field.help)};
    if constexpr (WordEnum<T>) info.words = detail::words_of<T>();
    if constexpr (detail::is_optional<T>) info.words.emplace_back(field.unset_word);
    all.push_back(std::move(info));
  });
  return all;
}

/// Every option with the value it has.
template <class Options>
NamedValues resolved_values(const Options& options) {
  NamedValues values;
  detail::for_each_field<Options>([&](const auto& field) {
    values.emplace_back(field.name, detail::to_value(field.access(options), field.unset_word));
  });
  return values;
}

/// @throws InvalidArgument naming the owner, the option, its value and what is allowed
template <class Options>
void check_ranges(std::string_view owner, const Options& options) {
  detail::for_each_field<Options>([&](const auto& field) {
    detail::check_member(owner, field.name, field.access(options), field.range);
  });
}

/// Defaults overridden by the given texts, range-checked.
/// @throws InvalidArgument for an unknown option (suggesting a near one), a malformed or a
/// forbidden value
template <class Options>
Options parse_options(std::string_view owner, const OptionTexts& texts) {
  Options options{};
  std::vector<std::string> known;
  detail::for_each_field<Options>([&](const auto& field) {
    known.emplace_back(field.name);
    const auto text = texts.find(known.back());
    if (text != texts.end())
      detail::parse_into(field.access(options), owner, field.name, field.unset_word, text->second);
  });
  for (const auto& [name, text] : texts)
    if (std::ranges::find(known, name) == known.end()) detail::refuse_option(owner, name, known);
  check_ranges(owner, options);
  return options;
}

}  // namespace tamis
