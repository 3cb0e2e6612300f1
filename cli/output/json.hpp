#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/load.hpp"
#include "core/json_values.hpp"
#include "tamis/core/options.hpp"

/// What the program's JSON objects have in common.
namespace tamis::cli {

using Json = nlohmann::ordered_json;

inline Json number(double value) { return json_number<Json>(value); }
inline Json numbers(const std::vector<double>& values) { return json_numbers<Json>(values); }

/// A list of lists of `width` numbers each.
Json lines_json(const std::vector<double>& values, Index width);

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json options_json(const NamedValues& values);

/// What was read, for the member "data".
Json data_json(const Arguments& arguments, const LoadedProblem& data);

}  // namespace tamis::cli
