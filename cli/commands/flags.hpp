#pragma once

#include <initializer_list>
#include <vector>

#include "cli/console/command.hpp"
#include "tamis/core/options.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis::cli {

inline constexpr std::string_view kGeneralGroup = "General";

/// How a table is read; for every command that reads one.
std::vector<Flag> table_flags();

/// Of commands that take numbers to predict.
Flag regression_flag();
/// What is known about its rows, and how its columns are prepared.
std::vector<Flag> problem_flags();
/// --method, and every option of every method.
std::vector<Flag> method_flags();
/// --bagging and what belongs to it: any method as an ensemble.
std::vector<Flag> ensemble_flags();
/// For commands that compute in parallel, and for those that may take long.
Flag threads_flag();
Flag progress_flag();
/// -q, -v, --no-color and --help, for every command.
std::vector<Flag> general_flags();

/// -o, saying what is written; --top, for the commands that take the best features.
Flag output_flag(const std::string& group, const std::string& help);
Flag top_flag(const std::string& group);
/// --format WORD for commands that have switches of these names.
Flag format_flag(const std::string& group, std::vector<std::string> words);
/// --trace and --report, for the commands that run methods.
Flag trace_flag(const std::string& group);
Flag report_flag(const std::string& group);

std::vector<Flag> joined(std::initializer_list<std::vector<Flag>> groups);

/// The flags but those of the given names.
std::vector<Flag> without(const std::vector<std::string>& names, std::vector<Flag> flags);

/// An option as a flag: "n_neighbors" is --n-neighbors.
std::string flag_name(std::string option);
Flag flag_of(const OptionInfo& option);

/// Adds the options of a method; one that others have too becomes the same flag.
void add_options(std::vector<Flag>& flags, std::string_view method,
                 const std::vector<OptionInfo>& options);

/// The method that --method names.
const Method& chosen_method(const Arguments& arguments);

/// The options given for the method, by option name.
/// @throws InvalidArgument for an option that only other methods have, naming them
OptionTexts method_options(std::string_view method, const Arguments& arguments);

}  // namespace tamis::cli
