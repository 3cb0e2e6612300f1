#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tamis/core/method.hpp"

namespace tamis {

/// The only list of methods, alphabetical. Program, bindings, report and documentation read it.
std::span<const Method> methods();

/// The name that stands for the method that we would take.
inline constexpr std::string_view kAutomatic = "auto";
inline constexpr std::string_view kAutomaticMethod = "ridge_omp";

/// A method by its name, or kAutomatic.
/// @throws InvalidArgument for an unknown name, suggesting a near one
const Method& find_method(const std::string& name);

/// The names of the methods that take a numeric target, for messages: "a and b".
std::string methods_for_values();

}  // namespace tamis
