#include "cli/console/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/commands/flags.hpp"
#include "core/peak_memory.hpp"

namespace tamis::cli {

std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=./,+:@%").find(c) != std::string_view::npos;
  });
  if (is_plain) return word;
  std::string inside;
  for (const char c : word) inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("'{}'", inside);
}

void describe_data(const ProblemFacts& facts, const Voice& voice) {
  std::string line = fmt::format(
      "{}: {} x {}", styled(voice.screen(), "1", printable(name_of_input(facts.file.value_or("")))),
      counted(facts.rows, "row"), counted(facts.features, "feature"));
  if (facts.targets > 0) line += fmt::format(", a numeric target in {}", facts.targets);
  if (facts.labeled > 0)
    line += fmt::format(", {} labeled in {} class{}", facts.labeled, facts.classes,
                        facts.classes == 1 ? "" : "es");
  else if (facts.targets == 0)
    line += ", no labels";
  if (facts.must_link + facts.cannot_link > 0)
    line +=
        fmt::format(", {} must-link and {} cannot-link pairs", facts.must_link, facts.cannot_link);
  voice.say(line);
}

std::string typed_command(const Arguments& arguments) {
  std::string command = "tamis " + arguments.command->name;
  for (const std::string& word : arguments.words) command += fmt::format(" {}", shell_word(word));
  return command;
}

void describe_command(const Arguments& arguments, const NamedValues& values, const Voice& voice) {
  std::string command = typed_command(arguments);
  const auto add = [&](const std::string& flag, const std::string& value) {
    if (!arguments.has(flag)) command += fmt::format(" --{}={}", flag, shell_word(value));
  };
  for (const auto& [name, value] : values) add(flag_name(name), to_text(value));
  add("seed", "0");
  voice.detail(command);
}

void describe_cost(double seconds, const Voice& voice) {
  voice.detail(fmt::format("{:.3f} s, {:.1f} MB at most", seconds,
                           static_cast<double>(peak_memory_bytes()) / 1e6));
}

}  // namespace tamis::cli
