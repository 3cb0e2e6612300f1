#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "cli/commands/flags.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/output/output.hpp"

namespace tamis::cli {
namespace {

std::vector<std::string> operand_words(const Command& command) {
  std::vector<std::string> words;
  for (const Operand& operand : command.operands)
    words.insert(words.end(), operand.words.begin(), operand.words.end());
  if (command.name == "methods")
    for (const Method& method : methods()) words.emplace_back(method.info.name);
  return words;
}

bool takes_files(const Command& command) {
  return std::ranges::any_of(command.operands, &Operand::is_file);
}

bool needs_value(const Flag& flag) {
  return flag.takes != Takes::nothing && flag.takes != Takes::maybe_count;
}

std::string bash_values(const Command& command) {
  std::string cases;
  for (const Flag& flag : command.flags) {
    if (!needs_value(flag)) continue;
    const std::string pattern =
        flag.letter == '\0' ? "--" + flag.name : fmt::format("--{}|-{}", flag.name, flag.letter);
    const std::string reply = flag.takes == Takes::file
                                  ? "COMPREPLY=($(compgen -f -- \"$word\"))"
                                  : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))",
                                                fmt::join(flag.words, " "));
    cases += fmt::format("        {}) {}; return ;;\n", pattern, reply);
  }
  return cases;
}

std::string bash_command(const Command& command) {
  std::vector<std::string> flags;
  for (const Flag& flag : command.flags) flags.push_back("--" + flag.name);
  return fmt::format(
      "    {})\n      case \"$previous\" in\n{}      esac\n"
      "      if [[ $word == -* ]]; then\n"
      "        COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n      else\n"
      "        COMPREPLY=($(compgen {}-W '{}' -- \"$word\"))\n      fi ;;\n",
      command.name, bash_values(command), fmt::join(flags, " "), takes_files(command) ? "-f " : "",
      fmt::join(operand_words(command), " "));
}

std::string bash_completion() {
  std::vector<std::string> names;
  std::string cases;
  for (const Command& command : commands()) {
    names.push_back(command.name);
    cases += bash_command(command);
  }
  return fmt::format(
      "# bash completion of tamis {}; made by: tamis completion bash\n"
      "_tamis() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n    return\n  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n}}\n"
      "complete -o filenames -F _tamis tamis\n",
      TAMIS_VERSION, fmt::join(names, " "), cases);
}

/// Text inside '...[ ]:...' of an _arguments specification.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_action(const std::vector<std::string>& words, bool is_file) {
  if (is_file) return "_files";
  return words.empty() ? "" : fmt::format("({})", fmt::join(words, " "));
}

std::string zsh_flag(const Flag& flag) {
  const std::string value = !needs_value(flag)
                                ? ""
                                : fmt::format(":{}:{}", zsh_text(flag.value),
                                              zsh_action(flag.words, flag.takes == Takes::file));
  const std::string repeats = flag.repeats ? "*" : "";
  const std::string help = zsh_text(flag.help);
  std::string lines = fmt::format("        '{}--{}[{}]{}' \\\n", repeats, flag.name, help, value);
  if (flag.letter != '\0')
    lines += fmt::format("        '{}-{}[{}]{}' \\\n", repeats, flag.letter, help, value);
  return lines;
}

std::string zsh_completion() {
  std::string summaries;
  std::string cases;
  for (const Command& command : commands()) {
    summaries += fmt::format("      '{}:{}'\n", command.name, zsh_text(command.summary));
    cases += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const Flag& flag : command.flags) cases += zsh_flag(flag);
    for (const Operand& operand : command.operands)
      cases +=
          fmt::format("        '{}:{}:{}' \\\n",
                      operand.repeats       ? "*"
                      : operand.is_optional ? ":"
                                            : "",
                      zsh_text(operand.name), zsh_action(operand_words(command), operand.is_file));
    cases += "        && return ;;\n";
  }
  return fmt::format(
      "#compdef tamis\n# zsh completion of tamis {}; made by: tamis completion zsh\n"
      "_tamis() {{\n"
      "  if ((CURRENT == 2)); then\n    local -a summaries=(\n{}    )\n"
      "    _describe command summaries\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n"
      "  case $command in\n{}  esac\n}}\n"
      "if [[ $funcstack[1] == _tamis ]]; then _tamis \"$@\"; else compdef _tamis tamis; fi\n",
      TAMIS_VERSION, summaries, cases);
}

std::string fish_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return "'" + escaped + "'";
}

std::string fish_flag(const std::string& condition, const Flag& flag) {
  std::string line = fmt::format("complete -c tamis -n {} -l {}", condition, flag.name);
  if (flag.letter != '\0') line += fmt::format(" -s {}", flag.letter);
  if (flag.takes == Takes::file)
    line += " -r -F";
  else if (needs_value(flag))
    line += fmt::format(" -x -a {}", fish_text(fmt::format("{}", fmt::join(flag.words, " "))));
  return line + fmt::format(" -d {}\n", fish_text(flag.help));
}

std::string fish_completion() {
  std::string text = fmt::format(
      "# fish completion of tamis {}; made by: tamis completion fish\ncomplete -c tamis -f\n",
      TAMIS_VERSION);
  for (const Command& command : commands()) {
    text += fmt::format("complete -c tamis -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_text(command.summary));
    const std::string condition =
        fish_text(fmt::format("__fish_seen_subcommand_from {}", command.name));
    if (takes_files(command)) text += fmt::format("complete -c tamis -n {} -F\n", condition);
    if (const std::vector<std::string> words = operand_words(command); !words.empty())
      text += fmt::format("complete -c tamis -n {} -a {}\n", condition,
                          fish_text(fmt::format("{}", fmt::join(words, " "))));
    for (const Flag& flag : command.flags) text += fish_flag(condition, flag);
  }
  return text;
}

struct Shell {
  std::string_view name;
  std::string (*script)();
};
constexpr std::array kShells{Shell{"bash", bash_completion}, Shell{"fish", fish_completion},
                             Shell{"zsh", zsh_completion}};

void complete(const Arguments& arguments) {
  write_stdout(std::ranges::find(kShells, arguments.operands.front(), &Shell::name)->script());
}

}  // namespace

Command completion_command() {
  return {.name = "completion",
          .summary = "completion of commands and flags for bash, fish or zsh",
          .description = "Prints a script that completes commands, flags and their values.",
          .operands = {{.name = "bash|fish|zsh", .words = {"bash", "fish", "zsh"}}},
          .flags = general_flags(),
          .examples = {{"source <(tamis completion bash)", "in this shell, or in ~/.bashrc"},
                       {"tamis completion zsh > ~/.zfunc/_tamis", "in a folder of your fpath"},
                       {"tamis completion fish > ~/.config/fish/completions/tamis.fish",
                        "for every fish from now on"}},
          .run = complete};
}

}  // namespace tamis::cli
