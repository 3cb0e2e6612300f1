#pragma once

#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// Structs are declared once: `fields()` gives a tuple with the name and place of each member. What
/// options say besides is in options.hpp; results say only how they are written.
namespace tamis {

/// An enumeration is written by an overload `option_words(E)` in its own namespace: an array of
/// (word, value) pairs, the default nothing special.
template <class E>
concept WordEnum = std::is_enum_v<E> && requires(E e) {
  option_words(e);
};

template <WordEnum E>
std::string_view word_of(E value) {
  for (const auto& [word, candidate] : option_words(value))
    if (candidate == value) return word;
  return "";
}

template <class T>
concept HasFields = requires {
  T::fields();
};

/// How a member of a result is written, where its type leaves a choice.
enum class Form {
  plain,   ///< structs with names, pairs without; numbers as an array where there are arrays
  list,    ///< structs without names; numbers as a list
  object,  ///< pairs as name and value
  if_set   ///< an optional that JSON leaves out; others are null
};

/// One member of a result. `access` finds it, through nested structs too.
template <class Access>
struct Member {
  std::string_view name;
  Access access;
  Form form = Form::plain;

  /// The same member seen from a struct that holds this one as `member`.
  template <class Outer, class Inner>
  constexpr auto within(Inner Outer::*member) const {
    auto outer_access = [inner = access, member](auto& result) -> decltype(auto) {
      return inner(result.*member);
    };
    return Member<decltype(outer_access)>{name, outer_access, form};
  }
};

template <class Result, class T>
constexpr auto named(std::string_view name, T Result::*member, Form form = Form::plain) {
  auto access = [member](auto& result) -> auto& { return result.*member; };
  return Member<decltype(access)>{name, access, form};
}

/// What follows from other members: written, and skipped where results are read.
template <class Result, class T>
constexpr auto named(std::string_view name, T (Result::*derived)() const) {
  auto access = [derived](auto& result) { return (result.*derived)(); };
  return Member<decltype(access)>{name, access};
}

/// All fields of the struct held as `member`, as a tuple to be joined with std::tuple_cat.
template <class Outer, class Inner>
constexpr auto nested_fields(Inner Outer::*member) {
  return std::apply([member](auto... fields) { return std::tuple{fields.within(member)...}; },
                    Inner::fields());
}

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Calls visit(field) for each field of T.
template <HasFields T, class Visit>
void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... fields) { (visit(fields), ...); }, T::fields());
}

}  // namespace detail
}  // namespace tamis
