#include "cli/console/help.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands/flags.hpp"
#include "cli/console/terminal.hpp"

namespace tamis::cli {
namespace {

constexpr std::size_t kHelpColumn = 30;

std::string heading(const Screen& screen, std::string_view text) {
  return fmt::format("\n{}\n", styled(screen, "1", wrapped(text, 0, prose_width(screen))));
}

std::string entry(const Screen& screen, const std::string& left, std::string_view right) {
  const std::string gap = left.size() + 4 > kHelpColumn
                              ? "\n" + std::string(kHelpColumn, ' ')
                              : std::string(kHelpColumn - left.size() - 2, ' ');
  return fmt::format("  {}{}{}\n", styled(screen, "36", left), gap,
                     wrapped(right, kHelpColumn, prose_width(screen)));
}

char letter_of(const Command& command, const std::string& flag) {
  return std::ranges::find(command.flags, flag, &Flag::name)->letter;
}

/// The flags to show: the program's own, and those of the chosen method as that method has them.
std::vector<Flag> shown_flags(const Arguments& arguments) {
  std::vector<Flag> shown;
  for (const Flag& flag : arguments.command->flags) {
    if (!flag.owners.empty()) continue;
    shown.push_back(flag);
    if (!flag.options_of) continue;
    const std::string method = arguments.text(flag.name, flag.otherwise);
    for (const OptionInfo& option : flag.options_of(method)) {
      shown.push_back(flag_of(option));
      shown.back().letter = letter_of(*arguments.command, shown.back().name);
      shown.back().group =
          fmt::format("Options of {} (see another's with --method NAME --help)", method);
    }
  }
  return shown;
}

/// A command on as many lines as it needs, which a shell takes for one.
std::string command_lines(const Screen& screen, const std::string& command) {
  constexpr std::string_view kContinued = " \\";
  const std::string lines = wrapped(command, 6, prose_width(screen) - kContinued.size() - 2);
  std::string text;
  for (const char c : lines) (c == '\n' ? text += kContinued : text) += c;
  return text;
}

std::string examples(const Screen& screen, std::string_view title,
                     const std::vector<Example>& listed) {
  if (listed.empty()) return "";
  std::string text = heading(screen, title);
  for (const auto& [command, purpose] : listed)
    text += fmt::format("  {}\n      {}\n", command_lines(screen, command),
                        styled(screen, "2", wrapped(purpose, 6, prose_width(screen))));
  return text;
}

}  // namespace

std::string spelled(const Flag& flag) {
  return fmt::format("{}--{}{}{}", flag.letter == '\0' ? "" : fmt::format("-{}, ", flag.letter),
                     flag.name, flag.value.empty() ? "" : " ", flag.value);
}

std::string overview() {
  const Screen screen = screen_of(STDOUT_FILENO, {});
  std::string text = fmt::format(
      "{}\n",
      wrapped(fmt::format("{} finds the features of a table that matter, from a few labels, a few "
                          "must-link and cannot-link pairs, and all the rows without either.",
                          styled(screen, "1", "tamis")),
              0, prose_width(screen)));
  text += heading(screen, "Usage");
  text += "  tamis COMMAND [options]\n";
  text += heading(screen, "Commands");
  for (const Command& command : commands()) text += entry(screen, command.name, command.summary);
  text += examples(
      screen, "First steps",
      {{"tamis generate cells -o cells.csv", "300 cells, 250 genes, 12 labels: which matter?"},
       {"tamis rank cells.csv", "a short list: each gene adds something to the rest"},
       {"tamis rank cells.csv --top relevant",
        "all that have to do with the labels or other genes"},
       {"tamis methods", "other ways to find out"}});
  text += heading(screen, "More");
  text += entry(screen, "tamis COMMAND --help", "what a command takes, with examples");
  text += entry(screen, "tamis man | man -l -", "everything in one page");
  text += entry(screen, "tamis --version", "the version");
  return text;
}

std::string command_help(const Arguments& arguments) {
  const Command& command = *arguments.command;
  const Screen screen = screen_of(STDOUT_FILENO, arguments);
  std::string text = fmt::format("{}\n\n{}\n", styled(screen, "1", usage(command)),
                                 wrapped(command.description, 0, prose_width(screen)));
  text += examples(screen, "Examples", command.examples);
  std::string group;
  for (const Flag& flag : shown_flags(arguments)) {
    if (flag.group != group) text += heading(screen, group = flag.group);
    text += entry(screen, spelled(flag), flag.help);
  }
  return text;
}

}  // namespace tamis::cli
