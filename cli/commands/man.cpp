#include <fmt/format.h>

#include "cli/commands/flags.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/console/help.hpp"
#include "cli/output/output.hpp"
#include "tamis/registry/clusterings.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis::cli {
namespace {

/// Text that roff prints as it stands.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  if (escaped.starts_with('.') || escaped.starts_with('\'')) escaped.insert(0, "\\&");
  return escaped;
}

std::string entry(const std::string& term, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(term), roff(text));
}

std::string command_section(const Command& command) {
  std::string text = fmt::format(".SS {}\n.B {}\n.PP\n{}\n", roff(command.name),
                                 roff(usage(command)), roff(command.description));
  for (const Flag& flag : command.flags)
    if (flag.owners.empty() && flag.group != kGeneralGroup) text += entry(spelled(flag), flag.help);
  return text;
}

std::string option_entries(const std::vector<OptionInfo>& options) {
  std::string text;
  for (const OptionInfo& option : options) {
    const Flag flag = flag_of(option);
    text += entry(spelled(flag), flag.help);
  }
  return text;
}

std::string method_section(const Method& method) {
  return fmt::format(".SS {}\n{}; {}. Needs {}.\n", roff(method.info.name), roff(method.info.title),
                     roff(name_of(method.info.supervision)), roff(needs_of(method.info))) +
         option_entries(method.options);
}

std::string clustering_section(const ClusteringMethod& clustering) {
  return fmt::format(".SS {}\n{}. {}.\n", roff(clustering.info.name), roff(clustering.info.title),
                     roff(clustering.info.reference)) +
         option_entries(clustering.options);
}

std::string projection_section(const ProjectionMethod& projection) {
  return fmt::format(".SS {}\n{}; {}. {}.\n", roff(projection.info.name),
                     roff(projection.info.title), roff(name_of(projection.info.supervision)),
                     roff(projection.info.reference)) +
         option_entries(projection.options);
}

std::string examples_section() {
  std::string text = ".SH EXAMPLES\n";
  for (const Command& command : commands())
    for (const Example& example : command.examples) text += entry(example.command, example.purpose);
  return text;
}

std::string manual() {
  std::string text = fmt::format(
      ".TH TAMIS 1 \"\" \"tamis {}\" \"User Commands\"\n"
      ".SH NAME\ntamis \\- semi\\-supervised feature selection\n"
      ".SH SYNOPSIS\n.B tamis\n.I COMMAND\n[options]\n"
      ".SH DESCRIPTION\n"
      "tamis finds the features of a table that matter, from a few labels, a few must\\-link and "
      "cannot\\-link pairs, and all the rows without either. Results go to standard output, words "
      "for people to standard error.\n.SH COMMANDS\n",
      TAMIS_VERSION);
  for (const Command& command : commands()) text += command_section(command);
  text += ".SH GENERAL OPTIONS\n";
  for (const Flag& flag : joined({{threads_flag(), progress_flag()}, general_flags()}))
    text += entry(spelled(flag), flag.help);
  text += ".SH METHODS\n";
  for (const Method& method : methods()) text += method_section(method);
  text += ".SH CLUSTERINGS\nFor tamis cluster.\n";
  for (const ClusteringMethod& clustering : clusterings()) text += clustering_section(clustering);
  text += ".SH PROJECTIONS\nFor tamis project.\n";
  for (const ProjectionMethod& projection : projections()) text += projection_section(projection);
  text += examples_section();
  text += ".SH ENVIRONMENT\n" + entry("NO_COLOR", "if set and not empty: no colours");
  text += ".SH EXIT STATUS\n" + entry("0", "done, or the reader of the output has gone") +
          entry("1", "the computation failed") + entry("2", "the command line is wrong") +
          entry("3", "the data cannot be read or do not allow what was asked") +
          entry("4", "the operating system refused to read or write") +
          entry("130", "interrupted; no unfinished file is left");
  return text;
}

void print_manual(const Arguments&) { write_stdout(manual()); }

}  // namespace

Command man_command() {
  return {.name = "man",
          .summary = "the manual page",
          .description = "Prints the manual page in man(7) format.",
          .flags = general_flags(),
          .examples = {{"tamis man | man -l -", "read it"}},
          .run = print_manual};
}

}  // namespace tamis::cli
