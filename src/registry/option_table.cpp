#include "registry/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tamis {
namespace {

/// A bar would end the cell.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string paper_sentence(const MethodInfo& method) {
  std::vector<std::string> words;
  for (const auto& [option, value] : method.paper)
    words.push_back(fmt::format("`{}` to {}{}", option, value,
                                option == method.vote_option ? " (in `tamis evaluate`)" : ""));
  return words.empty() ? "" : fmt::format("\n`--paper` sets {}.\n", fmt::join(words, ", "));
}

}  // namespace

std::string option_table(const Method& method) {
  if (method.options.empty()) return "This method has no options.\n";
  std::string table = "| option | values | default | meaning |\n|---|---|---|---|\n";
  for (const OptionInfo& option : method.options)
    table += fmt::format("| `{}` | {} | {} | {} |\n", option.name, cell(describe_values(option)),
                         cell(to_text(option.default_value)), cell(option.help));
  return table + paper_sentence(method.info);
}

}  // namespace tamis
