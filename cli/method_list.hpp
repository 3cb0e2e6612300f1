#pragma once

#include <string>
#include <vector>

#include "tamis/evaluation/trial.hpp"

namespace tamis::cli {

/// Puts calls of methods together again that were cut at every comma: a piece is a method of its
/// own unless it is option=value, which belongs to the method before it. So
/// cls:n_neighbors=5,form=ensemble,lsdf:gamma=10 are two methods.
std::vector<std::string> method_calls(const std::vector<std::string>& pieces);

/// The methods that the calls name, each called as it was written. The controls, which are always
/// there, are left out.
/// @throws InvalidArgument for an unknown method or option, or a forbidden value
std::vector<Contestant> contestants(const std::vector<std::string>& calls);

}  // namespace tamis::cli
