#include "results/json.hpp"

#include <fmt/format.h>

#include "results/json_fields.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {
namespace detail {

std::string JsonPlace::text() const {
  if (outer == nullptr) return "";
  const std::string before = outer->text();
  if (name.empty()) return fmt::format("{}[{}]", before, number);
  return before.empty() ? std::string(name) : fmt::format("{}.{}", before, name);
}

void refuse(const JsonPlace& place, std::string_view wanted, const Json& found) {
  constexpr std::size_t kShown = 40;
  std::string text = json_line(found);
  text.pop_back();
  if (text.size() > kShown) text = found.type_name();
  throw DataError(fmt::format("{} should be {}, not {}",
                              place.outer == nullptr ? "the JSON" : place.text(), wanted, text));
}

const Json& member_of(const Json& object, const JsonPlace& place) {
  const auto found = object.find(place.name);
  if (found == object.end()) throw DataError(fmt::format("{} is missing", place.text()));
  return *found;
}

void check_list(const Json& json, const JsonPlace& place) {
  if (!json.is_array()) refuse(place, "a list", json);
}

void check_list(const Json& json, const JsonPlace& place, std::size_t size) {
  if (!json.is_array() || json.size() != size)
    refuse(place, fmt::format("a list of {}", size), json);
}

void check_object(const Json& json, const JsonPlace& place) {
  if (!json.is_object()) refuse(place, "an object", json);
}

void read_into(double& value, const Json& json, const JsonPlace& place) {
  if (json.is_number())
    value = json.get<double>();
  else if (json.is_null())
    value = kUndefined;
  else if (json == "inf")
    value = HUGE_VAL;
  else if (json == "-inf")
    value = -HUGE_VAL;
  else
    refuse(place, "a number", json);
}

void read_into(bool& value, const Json& json, const JsonPlace& place) {
  if (!json.is_boolean()) refuse(place, "true or false", json);
  value = json.get<bool>();
}

void read_into(std::string& value, const Json& json, const JsonPlace& place) {
  if (!json.is_string()) refuse(place, "a text", json);
  value = json.get<std::string>();
}

void read_into(OptionValue& value, const Json& json, const JsonPlace& place) {
  if (json.is_boolean())
    value = json.get<bool>();
  else if (json.is_number_integer())
    value = json.get<Index>();
  else if (json.is_number())
    value = json.get<double>();
  else if (json.is_string())
    value = json.get<std::string>();
  else
    refuse(place, "a value of an option", json);
}

void read_into(DenseTable<double>& value, const Json& json, const JsonPlace& place) {
  check_list(json, place);
  value = {.rows = std::ssize(json)};
  for (std::size_t i = 0; i < json.size(); ++i) {
    const JsonPlace row{.outer = &place, .number = i};
    if (i == 0)
      check_list(json[i], row);
    else
      check_list(json[i], row, json[0].size());
    value.cols = std::ssize(json[i]);
    for (std::size_t r = 0; r < json[i].size(); ++r)
      read_into(value.values.emplace_back(), json[i][r], {.outer = &row, .number = r});
  }
}

}  // namespace detail

Json json_of(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tamis
