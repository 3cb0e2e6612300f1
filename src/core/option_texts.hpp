#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamis/core/options.hpp"

/// What is made from the `fields()` of options: tables of them, and options from texts. Apart, as
/// those who only declare options are compiled faster without it.
namespace tamis {

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
