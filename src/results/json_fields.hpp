#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "results/json.hpp"
#include "tamis/core/fields.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/table.hpp"

/// Any struct with fields() as JSON, and back.
namespace tamis {

/// Members may be structs with fields(), vectors, optionals, pairs with a name, enumerations with
/// words, values of options, texts, numbers and tables of them, row by row.
template <class T>
Json json_of(const T& value, Form form = Form::plain);

/// Reads what json_of wrote; members that are not declared are ignored. An optional NaN comes back
/// unset: both are null.
/// @throws DataError naming the member that is missing or wrong
template <class T>
T read_json(const Json& json);

namespace detail {

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

template <class T>
inline constexpr bool is_named_value = false;
template <class T>
inline constexpr bool is_named_value<std::pair<std::string, T>> = true;

template <HasFields T>
Json struct_json(const T& value, Form form) {
  Json json = form == Form::list ? Json::array() : Json::object();
  for_each_field<T>([&](const auto& field) {
    const auto& member = field.access(value);
    if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>)
      if (field.form == Form::if_set && !member) return;
    if (form == Form::list)
      json.push_back(json_of(member, field.form));
    else
      json[std::string(field.name)] = json_of(member, field.form);
  });
  return json;
}

template <class T>
Json vector_json(const std::vector<T>& values, Form form) {
  if constexpr (is_named_value<T>)
    if (form == Form::object) {
      Json object = Json::object();
      for (const auto& [name, value] : values) object[name] = json_of(value);
      return object;
    }
  Json array = Json::array();
  for (const T& value : values) array.push_back(json_of(value, form));
  return array;
}

inline Json table_json(const DenseTable<double>& table) {
  Json rows = Json::array();
  for (Index i = 0; i < table.rows; ++i) {
    Json row = Json::array();
    for (Index r = 0; r < table.cols; ++r) row.push_back(json_of(table.values[i * table.cols + r]));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Where a value is, for messages: "redundancy.tree[3]".
struct JsonPlace {
  const JsonPlace* outer = nullptr;
  std::string_view name = {};
  std::size_t number = 0;  ///< in a list, if there is no name

  std::string text() const;
};

[[noreturn]] void refuse(const JsonPlace& place, std::string_view wanted, const Json& found);
const Json& member_of(const Json& object, const JsonPlace& place);
void check_list(const Json& json, const JsonPlace& place);
void check_list(const Json& json, const JsonPlace& place, std::size_t size);
void check_object(const Json& json, const JsonPlace& place);

void read_into(double& value, const Json& json, const JsonPlace& place);
void read_into(bool& value, const Json& json, const JsonPlace& place);
void read_into(std::string& value, const Json& json, const JsonPlace& place);
void read_into(OptionValue& value, const Json& json, const JsonPlace& place);
void read_into(DenseTable<double>& value, const Json& json, const JsonPlace& place);

template <std::integral T>
void read_into(T& value, const Json& json, const JsonPlace& place) {
  if (!json.is_number_integer()) refuse(place, "a whole number", json);
  const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                              : std::in_range<T>(json.get<std::int64_t>());
  if (!fits) refuse(place, "a whole number that fits", json);
  value = json.get<T>();
}

template <class T>
void read_any(T& value, const Json& json, Form form, const JsonPlace& place);

template <HasFields T>
void read_struct(T& value, const Json& json, Form form, const JsonPlace& place) {
  const bool is_list = form == Form::list;
  if (is_list)
    check_list(json, place, std::tuple_size_v<decltype(T::fields())>);
  else
    check_object(json, place);
  std::size_t number = 0;
  for_each_field<T>([&](const auto& field) {
    const JsonPlace inner{.outer = &place, .name = field.name};
    const std::size_t here = number++;
    if constexpr (std::is_reference_v<decltype(field.access(value))>) {
      if (field.form == Form::if_set && !json.contains(field.name)) return;
      read_any(field.access(value), is_list ? json[here] : member_of(json, inner), field.form,
               inner);
    }
  });
}

template <class T>
void read_vector(std::vector<T>& values, const Json& json, Form form, const JsonPlace& place) {
  values.clear();
  if constexpr (is_named_value<T>)
    if (form == Form::object) {
      check_object(json, place);
      for (const auto& [name, value] : json.items())
        read_any(values.emplace_back(name, typename T::second_type{}).second, value, Form::plain,
                 {.outer = &place, .name = name});
      return;
    }
  check_list(json, place);
  values.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    read_any(values[i], json[i], form, {.outer = &place, .number = i});
}

template <WordEnum E>
void read_word(E& value, const Json& json, const JsonPlace& place) {
  std::string wanted;
  for (const auto& [word, candidate] : option_words(value)) {
    if (json == word) {
      value = candidate;
      return;
    }
    wanted.append(wanted.empty() ? "" : " or ").append(word);
  }
  refuse(place, wanted, json);
}

template <class T>
void read_any(T& value, const Json& json, Form form, const JsonPlace& place) {
  if constexpr (is_optional<T>) {
    value.reset();
    if (!json.is_null()) read_any(value.emplace(), json, form, place);
  } else if constexpr (HasFields<T>) {
    read_struct(value, json, form, place);
  } else if constexpr (is_vector<T>) {
    read_vector(value, json, form, place);
  } else if constexpr (is_named_value<T>) {
    check_list(json, place, 2);
    read_into(value.first, json[0], place);
    read_any(value.second, json[1], form, place);
  } else if constexpr (WordEnum<T>) {
    read_word(value, json, place);
  } else {
    read_into(value, json, place);
  }
}

}  // namespace detail

template <class T>
Json json_of(const T& value, Form form) {
  if constexpr (detail::is_optional<T>)
    return value ? json_of(*value, form) : Json(nullptr);
  else if constexpr (HasFields<T>)
    return detail::struct_json(value, form);
  else if constexpr (detail::is_vector<T>)
    return detail::vector_json(value, form);
  else if constexpr (detail::is_named_value<T>)
    return Json::array({value.first, json_of(value.second)});
  else if constexpr (WordEnum<T>)
    return word_of(value);
  else if constexpr (std::same_as<T, OptionValue>)
    return std::visit([](const auto& held) { return json_of(held); }, value);
  else if constexpr (std::same_as<T, DenseTable<double>>)
    return detail::table_json(value);
  else if constexpr (std::same_as<T, double>)
    return json_of(value);
  else
    return value;
}

template <class T>
T read_json(const Json& json) {
  T value{};
  detail::read_any(value, json, Form::plain, {});
  return value;
}

}  // namespace tamis
