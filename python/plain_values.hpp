#pragma once

#include "python/bindings.hpp"
#include "tamis/core/fields.hpp"

/// Any result with fields() as dicts, lists, NumPy arrays and plain values.
namespace tamis::python {

template <class T>
nb::object plain(const T& value, Form form = Form::plain);

namespace detail {

template <HasFields T>
nb::object plain_struct(const T& value, Form form) {
  nb::list values;
  nb::dict dict;
  tamis::detail::for_each_field<T>([&](const auto& field) {
    const nb::object member = plain(field.access(value), field.form);
    values.append(member);
    dict[std::string(field.name).c_str()] = member;
  });
  return form == Form::list ? nb::object(nb::tuple(values)) : nb::object(dict);
}

template <class T>
nb::object plain_vector(const std::vector<T>& values, Form form) {
  if constexpr (std::same_as<T, double> || std::same_as<T, Index>)
    return form == Form::list ? nb::cast(values) : array_of(values);
  nb::list list;
  for (const T& value : values) list.append(plain(value, form));
  return list;
}

template <class T>
nb::object plain_vector(const std::vector<std::pair<std::string, T>>& values, Form form) {
  if (form != Form::object) return nb::cast(values);
  nb::dict dict;
  for (const auto& [name, value] : values) dict[name.c_str()] = plain(value);
  return dict;
}

}  // namespace detail

template <class T>
nb::object plain(const T& value, Form form) {
  if constexpr (tamis::detail::is_optional<T>)
    return value ? plain(*value, form) : nb::none();
  else if constexpr (HasFields<T>)
    return detail::plain_struct(value, form);
  else if constexpr (std::same_as<T, DenseTable<double>>)
    return array_of(value);
  else if constexpr (WordEnum<T>)
    return nb::cast(word_of(value));
  else if constexpr (requires { detail::plain_vector(value, form); })
    return detail::plain_vector(value, form);
  else
    return nb::cast(value);
}

}  // namespace tamis::python
