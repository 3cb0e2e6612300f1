#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// A method as program and bindings see it.
struct Method {
  MethodInfo info;
  std::vector<OptionInfo> options;
  std::function<Ranking(const Problem&, const OptionTexts&)> rank;
  /// Every option with the value it would have. @throws InvalidArgument like rank
  std::function<NamedValues(const OptionTexts&)> resolve;
};

/// The only list of methods, alphabetical. Program, bindings, report and documentation read it.
std::span<const Method> methods();

/// The name that stands for the method that we would take.
inline constexpr std::string_view kAutomatic = "auto";
inline constexpr std::string_view kAutomaticMethod = "ridge_omp";

/// A method by its name, or kAutomatic.
/// @throws InvalidArgument for an unknown name, suggesting a near one
const Method& find_method(const std::string& name);

}  // namespace tamis
