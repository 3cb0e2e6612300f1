#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tamis/core/options.hpp"
#include "tamis/core/run.hpp"
#include "tamis/projections/projection.hpp"

namespace tamis {

/// A projection as program and bindings see it.
struct ProjectionMethod {
  ProjectionInfo info;
  std::vector<OptionInfo> options;
  std::function<Projection(const Problem&, const OptionTexts&, const Run&)> project;
  /// Every option with the value it would have. @throws InvalidArgument like project
  std::function<NamedValues(const OptionTexts&)> resolve;
};

/// The only list of projections. Program, bindings and documentation read it.
std::span<const ProjectionMethod> projections();

/// The projection of that name; none if there is none.
const ProjectionMethod* projection_called(std::string_view name);

/// @throws InvalidArgument for an unknown name, suggesting a near one
const ProjectionMethod& find_projection(const std::string& name);

}  // namespace tamis
