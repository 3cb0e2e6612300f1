#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/load.hpp"
#include "tamis/core/options.hpp"

/// What the program's JSON objects have in common.
namespace tamis::cli {

using Json = nlohmann::ordered_json;

/// JSON has no word for what is not finite: undefined is null, infinities are strings.
Json number(double value);
Json numbers(const std::vector<double>& values);

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json options_json(const NamedValues& values);

/// What was read, for the member "data".
Json data_json(const Arguments& arguments, const LoadedProblem& data);

/// On one line; bytes that are not UTF-8 are replaced.
std::string json_line(const Json& object);

}  // namespace tamis::cli
