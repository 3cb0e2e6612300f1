#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

/// Structs are declared once: `fields()` lists the name and place of each member. What
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

/// Where a member is found in its struct; in a struct that holds that one; or what follows from
/// other members. Types of their own, not lambdas: members of one type share them, and every file
/// that includes the struct is compiled faster.
template <class Struct, class T>
struct MemberAccess {
  T Struct::*member;
  constexpr auto& operator()(auto& owner) const { return owner.*member; }
};
template <class Outer, class Inner, class Access>
struct InnerAccess {
  Inner Outer::*member;
  Access access;
  constexpr decltype(auto) operator()(auto& owner) const { return access(owner.*member); }
};
template <class Struct, class T>
struct DerivedAccess {
  T (Struct::*derived)() const;
  constexpr T operator()(auto& owner) const { return (owner.*derived)(); }
};

/// One member of a result.
template <class Access>
struct Member {
  std::string_view name;
  Access access;
  Form form = Form::plain;

  /// The same member seen from a struct that holds this one as `member`.
  template <class Outer, class Inner>
  constexpr auto within(Inner Outer::*member) const {
    using Further = InnerAccess<Outer, Inner, Access>;
    return Member<Further>{name, Further{member, access}, form};
  }
};

template <class Struct, class T>
constexpr auto named(std::string_view name, T Struct::*member, Form form = Form::plain) {
  using Access = MemberAccess<Struct, T>;
  return Member<Access>{name, Access{member}, form};
}

/// What follows from other members: written, and skipped where results are read.
template <class Struct, class T>
constexpr auto named(std::string_view name, T (Struct::*derived)() const) {
  using Access = DerivedAccess<Struct, T>;
  return Member<Access>{name, Access{derived}};
}

namespace detail {

template <std::size_t place, class Field>
struct FieldAt {
  Field field;
};

template <std::size_t place, class Field>
constexpr const Field& field_at(const FieldAt<place, Field>& all) {
  return all.field;
}

}  // namespace detail

/// Fields in order: a tuple without the constructors of std::tuple, which cost compilers more than
/// all else about fields.
template <class Places, class... Fields>
struct FieldList;
template <std::size_t... places, class... Fields>
struct FieldList<std::index_sequence<places...>, Fields...> : detail::FieldAt<places, Fields>... {
  template <std::size_t place>
  constexpr const auto& get() const {
    return detail::field_at<place>(*this);
  }
  /// use(first, second, ...)
  constexpr auto apply(auto use) const { return use(detail::field_at<places>(*this)...); }
};

template <class... Fields>
constexpr auto field_list(const Fields&... fields) {
  return FieldList<std::index_sequence_for<Fields...>, Fields...>{{fields}...};
}

/// One list after the other.
template <class Places, class... Fields>
constexpr auto joined(const FieldList<Places, Fields...>& first, const auto& second) {
  return first.apply([&](const auto&... fields) {
    return second.apply([&](const auto&... more) { return field_list(fields..., more...); });
  });
}
template <class Places, class... Fields>
constexpr auto joined(const FieldList<Places, Fields...>& first, const auto& second,
                      const auto&... others) {
  return joined(joined(first, second), others...);
}

/// All fields of the struct held as `member`.
template <class Outer, class Inner>
constexpr auto nested_fields(Inner Outer::*member) {
  return Inner::fields().apply(
      [member](const auto&... fields) { return field_list(fields.within(member)...); });
}

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Calls visit(field) for each field of T.
template <HasFields T, class Visit>
void for_each_field(Visit&& visit) {
  T::fields().apply([&](const auto&... fields) { (visit(fields), ...); });
}

}  // namespace detail
}  // namespace tamis

/// For structured bindings: const auto [first, second] = nested_fields(&Outer::inner);
template <class Places, class... Fields>
struct std::tuple_size<tamis::FieldList<Places, Fields...>>
    : std::integral_constant<std::size_t, sizeof...(Fields)> {};
template <std::size_t place, class Places, class... Fields>
struct std::tuple_element<place, tamis::FieldList<Places, Fields...>> {
  using type = std::remove_cvref_t<
      decltype(std::declval<tamis::FieldList<Places, Fields...>>().template get<place>())>;
};
