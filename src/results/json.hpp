#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

/// What all JSON texts have in common. What makes JSON of structs is in json_fields.hpp, apart
/// because nlohmann's whole header takes long to compile.
namespace tamis {

using Json = nlohmann::ordered_json;

/// JSON has no word for what is not finite: undefined is null, infinities are strings.
Json json_of(double value);

/// On one line; bytes that are not UTF-8 are replaced.
std::string json_line(const Json& json);

}  // namespace tamis
