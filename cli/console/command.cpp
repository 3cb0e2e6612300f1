#include "cli/console/command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/subcommands.hpp"
#include "core/option_texts.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/options.hpp"

namespace tamis::cli {

bool Flag::is_called(std::string_view word) const {
  return word == name || std::ranges::find(aliases, word) != aliases.end();
}

bool Arguments::is_on(const std::string& flag) const {
  return has(flag) && detail::parse_boolean("tamis", "--" + flag, *text(flag));
}

std::optional<std::string> Arguments::text(const std::string& flag) const {
  const auto found = values_.find(flag);
  if (found == values_.end()) return std::nullopt;
  return found->second.back();
}

std::string Arguments::text(const std::string& flag, std::string_view otherwise) const {
  return text(flag).value_or(std::string(otherwise));
}

std::vector<std::string> Arguments::list(const std::string& flag) const {
  std::vector<std::string> items;
  const auto found = values_.find(flag);
  if (found == values_.end()) return items;
  for (const std::string& value : found->second) {
    std::size_t start = 0;
    for (std::size_t comma = 0; comma != std::string::npos; start = comma + 1) {
      comma = value.find(',', start);
      items.push_back(value.substr(start, comma - start));
    }
  }
  return items;
}

Index Arguments::integer(const std::string& flag, Index otherwise, Index low) const {
  if (!has(flag)) return otherwise;
  const Index value = detail::parse_integer(command->name, "--" + flag, *text(flag));
  detail::check_range(command->name, "--" + flag, static_cast<double>(value),
                      at_least(static_cast<double>(low)));
  return value;
}

double Arguments::positive_number(const std::string& flag, double otherwise) const {
  if (!has(flag)) return otherwise;
  const double value = detail::parse_number(command->name, "--" + flag, *text(flag));
  detail::check_range(command->name, "--" + flag, value, positive());
  return value;
}

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      rank_command(),       select_command(),  evaluate_command(),    report_command(),
      cluster_command(),    project_command(), constraints_command(), generate_command(),
      info_command(),       convert_command(), condense_command(),    methods_command(),
      completion_command(), man_command(),
  };
  return all;
}

const Command& find_command(const std::string& name) {
  const auto& all = commands();
  const auto found = std::ranges::find(all, name, &Command::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Command& command : all) names.push_back(command.name);
  const std::string hint = did_you_mean(name, names);
  throw InvalidArgument(fmt::format("unknown command '{}'{}", name,
                                    hint.empty() ? "; tamis --help lists them all" : hint));
}

std::string usage(const Command& command) {
  std::string line = "tamis " + command.name;
  for (const Operand& operand : command.operands) {
    line += operand.is_optional ? " [" + operand.name + "]" : " " + operand.name;
    if (operand.repeats) line += "...";
  }
  return line + " [options]";
}

}  // namespace tamis::cli
