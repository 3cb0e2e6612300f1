#pragma once

#include <string>

#include "tamis/registry/methods.hpp"

namespace tamis {

/// A method and the options that differ from its defaults.
struct MethodCall {
  const Method* method;
  OptionTexts options;
};

/// Reads "name" or "name:option=value,option=value", as people write a method within an option.
/// @throws InvalidArgument for a malformed text, an unknown method or option, or a forbidden value
MethodCall parse_method_call(const std::string& text);

}  // namespace tamis
