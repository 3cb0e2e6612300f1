#pragma once

#include <string>

#include "cli/console/command.hpp"

namespace tamis::cli {

/// `tamis --help`
std::string overview();

/// `tamis COMMAND --help`; of the methods' options it shows those of --method.
std::string command_help(const Arguments& arguments);

/// "-o, --output FILE"
std::string spelled(const Flag& flag);

}  // namespace tamis::cli
