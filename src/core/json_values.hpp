#pragma once

#include <cmath>
#include <string>
#include <vector>

/// What all JSON texts have in common. `Json` is a type like nlohmann::ordered_json, which this
/// header does not need.
namespace tamis {

/// JSON has no word for what is not finite: undefined is null, infinities are strings.
template <class Json>
Json json_number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

template <class Json>
Json json_numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(json_number<Json>(value));
  return array;
}

/// On one line; bytes that are not UTF-8 are replaced.
template <class Json>
std::string json_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tamis
