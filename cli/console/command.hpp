#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/core/index.hpp"
#include "tamis/core/options.hpp"

/// The program's one table of commands and flags. Parsing, help, completion and the man page are
/// made from it; nothing else lists a flag.
namespace tamis::cli {

/// What stands behind a flag.
enum class Takes {
  nothing,      ///< a switch; `--flag=false` turns it off
  maybe_count,  ///< a switch that a whole number may follow, `--flag N` or `--flag=N`
  text,
  file,
  word,    ///< one of Flag::words
  method,  ///< the name of a method
};

struct Flag {
  std::string name = {};  ///< without the hyphens
  char letter = '\0';     ///< the short form, if there is one
  Takes takes = Takes::nothing;
  std::string value = {};  ///< how help calls the value
  std::string help = {};
  std::string group = {};                ///< the heading of its help
  bool repeats = false;                  ///< may be given more than once
  std::vector<std::string> words = {};   ///< values worth completing
  std::vector<std::string> owners = {};  ///< methods whose option it is; empty: the program's own
  std::string otherwise = {};            ///< the value that counts if it is not given, if it
                                         ///< names a method
  /// Of a flag that names a method: the options of that method.
  std::function<std::vector<OptionInfo>(const std::string&)> options_of = nullptr;
  std::vector<std::string> aliases = {};  ///< other names that people try first
  bool turns_on = false;                  ///< its value is the name of a switch, or "text"

  bool is_called(std::string_view word) const;
};

struct Operand {
  std::string name = {};
  bool is_optional = false;
  bool is_file = false;
  std::vector<std::string> words = {};  ///< the only values allowed, if any
  bool repeats = false;                 ///< the last one: any number of them, at least one
};

struct Example {
  std::string command = {};
  std::string purpose = {};
};

class Arguments;

struct Command {
  std::string name = {};
  std::string summary = {};      ///< a phrase
  std::string description = {};  ///< sentences
  std::vector<Operand> operands = {};
  std::vector<Flag> flags = {};
  std::vector<Example> examples = {};
  std::function<void(const Arguments&)> run = nullptr;
};

/// What was given on the command line, in words; conversions happen on request.
class Arguments {
 public:
  const Command* command = nullptr;
  std::vector<std::string> words = {};  ///< as typed, without the program and the command
  std::vector<std::string> operands = {};

  void add(const std::string& flag, std::string value) {
    values_[flag].push_back(std::move(value));
  }
  /// The same with a flag given once, so.
  Arguments with(const std::string& flag, std::string value) const {
    Arguments changed = *this;
    changed.values_[flag] = {std::move(value)};
    return changed;
  }
  bool has(const std::string& flag) const { return values_.contains(flag); }
  bool is_on(const std::string& flag) const;
  std::optional<std::string> text(const std::string& flag) const;
  std::string text(const std::string& flag, std::string_view otherwise) const;
  /// The values of a flag that may be repeated, each split at commas.
  std::vector<std::string> list(const std::string& flag) const;
  /// @throws InvalidArgument if it is not an integer of at least `low`
  Index integer(const std::string& flag, Index otherwise, Index low) const;
  /// @throws InvalidArgument if it is not a positive number
  double positive_number(const std::string& flag, double otherwise) const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

/// All commands, in the order in which help shows them.
const std::vector<Command>& commands();

/// @throws InvalidArgument for an unknown command, suggesting a near one
const Command& find_command(const std::string& name);

/// @throws InvalidArgument for unknown or repeated flags and for missing or surplus values
Arguments parse(const Command& command, std::vector<std::string> words);

/// "tamis rank FILE [options]"
std::string usage(const Command& command);

}  // namespace tamis::cli
