#pragma once

#include <string>
#include <vector>

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

/// The method of such a text, ready to rank.
/// @throws as above
Ranker ranker_of(const std::string& call);

/// Puts texts together again that were cut at every comma: a piece is a method of its own unless it
/// is option=value, which belongs to the method before it. So
/// cls:n_neighbors=5,form=ensemble,lsdf:gamma=10 are two methods.
std::vector<std::string> method_calls(const std::vector<std::string>& pieces);

}  // namespace tamis
