#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/commands/flags.hpp"
#include "cli/console/command.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

bool is_count(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

class Parser {
 public:
  Parser(const Command& command, std::vector<std::string> words) : command_(command) {
    arguments_.command = &command;
    arguments_.words = std::move(words);
  }

  Arguments run() {
    const auto& words = arguments_.words;
    for (; next_ < words.size(); ++next_) {
      const std::string& word = words[next_];
      if (only_operands_ || word == "-" || !word.starts_with('-'))
        arguments_.operands.push_back(word);
      else if (word == "--")
        only_operands_ = true;
      else if (word.starts_with("--"))
        take_long(word);
      else
        take_short(word);
    }
    if (!arguments_.has("help")) check_operands();
    return std::move(arguments_);
  }

 private:
  void take_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const auto flag = std::ranges::find_if(
        command_.flags, [&](const Flag& known) { return known.is_called(name); });
    if (flag == command_.flags.end()) refuse("--" + name);
    if (equals != std::string::npos)
      store(*flag, word.substr(equals + 1));
    else
      store(*flag, value_after(*flag));
  }

  void take_short(const std::string& word) {
    for (std::size_t place = 1; place < word.size(); ++place) {
      const auto flag = std::ranges::find(command_.flags, word[place], &Flag::letter);
      if (flag == command_.flags.end()) refuse(fmt::format("-{}", word[place]));
      if (flag->takes == Takes::nothing) {
        store(*flag, "true");
        continue;
      }
      const std::string attached = word.substr(place + 1);
      store(*flag, attached.empty() ? following_word(fmt::format("-{}", word[place])) : attached);
      return;
    }
  }

  std::string value_after(const Flag& flag) {
    const bool has_next = next_ + 1 < arguments_.words.size();
    if (flag.takes == Takes::nothing) return "true";
    if (flag.takes == Takes::maybe_count && !(has_next && is_count(arguments_.words[next_ + 1])))
      return "true";
    return following_word("--" + flag.name);
  }

  std::string following_word(const std::string& flag) {
    if (next_ + 1 >= arguments_.words.size())
      throw InvalidArgument(fmt::format("{}: {} needs a value", command_.name, flag));
    return arguments_.words[++next_];
  }

  void store(const Flag& flag, std::string value) {
    if (arguments_.has(flag.name) && flag.takes != Takes::nothing && !flag.repeats)
      throw InvalidArgument(fmt::format("{}: --{} is given twice", command_.name, flag.name));
    if (flag.takes == Takes::word && flag.owners.empty() &&
        std::ranges::find(flag.words, value) == flag.words.end())
      throw InvalidArgument(fmt::format("{}: --{} = '{}' is not one of {}{}", command_.name,
                                        flag.name, value, fmt::join(flag.words, ", "),
                                        did_you_mean(value, flag.words)));
    if (flag.turns_on && value != "text") arguments_.add(value, "true");
    arguments_.add(flag.name, std::move(value));
  }

  /// What was typed behind a flag, wherever that stands among the words.
  std::string typed_value(const Flag& flag) const {
    const auto& words = arguments_.words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool is_flag =
          words[i] == "--" + flag.name || words[i] == std::string{'-', flag.letter};
      if (is_flag && i + 1 < words.size()) return words[i + 1];
      if (words[i].starts_with("--" + flag.name + "="))
        return words[i].substr(words[i].find('=') + 1);
    }
    return flag.otherwise;
  }

  /// The flags that have a meaning here: options of methods that were not chosen have none.
  std::vector<std::string> flags_that_apply() const {
    std::vector<std::string> options;
    for (const Flag& flag : command_.flags)
      if (flag.options_of)
        for (const OptionInfo& option : flag.options_of(typed_value(flag)))
          options.push_back(flag_name(option.name));
    std::vector<std::string> names;
    for (const Flag& flag : command_.flags)
      if (flag.owners.empty() || std::ranges::find(options, flag.name) != options.end())
        names.push_back("--" + flag.name);
    return names;
  }

  [[noreturn]] void refuse(const std::string& word) const {
    const std::string hint = word.size() > 2 ? did_you_mean(word, flags_that_apply()) : "";
    throw InvalidArgument(fmt::format(
        "{} has no option '{}'{}", command_.name, word,
        hint.empty() ? fmt::format("; tamis {} --help lists them all", command_.name) : hint));
  }

  void check_operands() const {
    const auto& given = arguments_.operands;
    for (std::size_t place = 0; place < command_.operands.size(); ++place) {
      const Operand& operand = command_.operands[place];
      if (place >= given.size()) {
        if (operand.is_optional) break;
        throw InvalidArgument(
            fmt::format("{} needs {}: {}", command_.name, operand.name, usage(command_)));
      }
      if (!operand.words.empty() &&
          std::ranges::find(operand.words, given[place]) == operand.words.end())
        throw InvalidArgument(fmt::format("{}: '{}' is not one of {}{}", command_.name,
                                          given[place], fmt::join(operand.words, ", "),
                                          did_you_mean(given[place], operand.words)));
    }
    const bool may_repeat = !command_.operands.empty() && command_.operands.back().repeats;
    if (given.size() > command_.operands.size() && !may_repeat)
      throw InvalidArgument(fmt::format("{}: '{}' is one word too many: {}", command_.name,
                                        given[command_.operands.size()], usage(command_)));
  }

  const Command& command_;
  Arguments arguments_;
  std::size_t next_ = 0;
  bool only_operands_ = false;
};

}  // namespace

Arguments parse(const Command& command, std::vector<std::string> words) {
  return Parser(command, std::move(words)).run();
}

}  // namespace tamis::cli
