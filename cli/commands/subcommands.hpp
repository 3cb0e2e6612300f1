#pragma once

#include "cli/console/command.hpp"

/// One file per subcommand; each describes itself and brings its own `run`.
namespace tamis::cli {

Command rank_command();
Command select_command();
Command evaluate_command();
Command report_command();
Command cluster_command();
Command project_command();
Command constraints_command();
Command generate_command();
Command info_command();
Command convert_command();
Command condense_command();
Command methods_command();
Command completion_command();
Command man_command();

}  // namespace tamis::cli
