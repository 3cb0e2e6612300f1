#include "results/projection_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/json_fields.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::string_view kSchema = "tamis/projection/1";

void check_count(std::string_view what, std::size_t count, std::size_t wanted) {
  if (count != wanted)
    throw DataError(fmt::format("{} has {} values for {} names", what, count, wanted));
}

void check_finite(std::string_view what, const auto& values) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
    throw DataError(fmt::format("{} has a value that is not finite", what));
}

/// What new rows are projected with fits together.
void check_parts(const ProjectionResult& result) {
  const std::size_t cols = result.names.size();
  const Projection& found = result.projection;
  if (result.names.empty()) throw DataError("names is empty");
  if (found.components.rows == 0) throw DataError("components is empty");
  check_count("components[0]", found.components.cols, cols);
  check_count("mean", found.mean.size(), cols);
  check_finite("components", found.components.values);
  check_finite("mean", found.mean);
  if (!result.scaling) return;
  check_count("scaling.shift", result.scaling->shift.size(), cols);
  check_count("scaling.width", result.scaling->width.size(), cols);
  check_finite("scaling.shift", result.scaling->shift);
  check_finite("scaling.width", result.scaling->width);
}

}  // namespace

std::string json_line(const ProjectionResult& result) {
  Json object = {{"schema", kSchema}};
  object.update(json_of(result));
  return json_line(object);
}

ProjectionResult read_projection_result(const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw DataError("it is no JSON");
  if (!json.is_object() || !json.contains("schema") || json["schema"] != kSchema)
    throw DataError(fmt::format("it is no projection: its schema is not {}", kSchema));
  ProjectionResult result = read_json<ProjectionResult>(json);
  check_parts(result);
  return result;
}

}  // namespace tamis
