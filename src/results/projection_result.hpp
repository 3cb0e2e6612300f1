#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "prepare/scale.hpp"
#include "results/ranking_result.hpp"
#include "tamis/projections/projection.hpp"

namespace tamis {

/// A projection with what was run and what it took.
struct ProjectionResult {
  std::string version = {};
  std::string method = {};
  NamedValues options = {};  ///< every option, resolved
  std::uint64_t seed = 0;
  ProblemFacts data = {};
  std::vector<std::string> names = {};                            ///< of the columns
  std::optional<std::vector<std::string>> ids = std::nullopt;     ///< of the rows
  std::optional<std::vector<std::string>> labels = std::nullopt;  ///< of the rows, as written
  /// What was done to the columns before: (x - shift) / width, to new rows too. Unset: nothing.
  std::optional<Scaling> scaling = std::nullopt;
  Projection projection = {};
  double seconds = 0.0;
  std::int64_t peak_memory_bytes = 0;

  static constexpr auto fields() {
    using Self = ProjectionResult;
    return joined(field_list(named("version", &Self::version), named("method", &Self::method),
                             named("options", &Self::options, Form::object),
                             named("seed", &Self::seed), named("data", &Self::data),
                             named("names", &Self::names), named("ids", &Self::ids),
                             named("labels", &Self::labels), named("scaling", &Self::scaling)),
                  nested_fields(&Self::projection),
                  field_list(named("seconds", &Self::seconds),
                             named("peak_memory_bytes", &Self::peak_memory_bytes)));
  }
};

/// The object of schema tamis/projection/1, on one line.
std::string json_line(const ProjectionResult& result);

/// Reads such an object back.
/// @throws DataError if the text is none, or its parts do not fit together, saying what is wrong
ProjectionResult read_projection_result(const std::string& text);

}  // namespace tamis
