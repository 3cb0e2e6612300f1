#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/printable.hpp"
#include "tamis/core/remedy.hpp"

namespace tamis {

/// Everything the library throws on purpose. It never prints, exits or aborts. Messages quote files
/// of strangers, so they are made printable.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string_view message, Remedy remedy = {})
      : std::runtime_error(printable(message)), remedy_(std::move(remedy)) {}

  const Remedy& remedy() const { return remedy_; }

 private:
  Remedy remedy_;
};

/// The caller asked for something that does not exist or is out of range. The program exits with 2.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// The data cannot be read or do not allow what was asked. The program exits with 3.
class DataError : public Error {
 public:
  using Error::Error;
};

/// The computation found no result, though nothing was wrong with what it was given. The program
/// exits with 1.
class ComputationError : public Error {
 public:
  using Error::Error;
};

/// The operating system refused to read or write. The program exits with 4.
class IoError : public Error {
 public:
  using Error::Error;
};

/// The caller's progress sink asked to stop. The program exits with 130.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// The only candidate that begins with `word`, else the one that differs from it by the fewest
/// edits (at most two, or a third of its length); empty if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'near'?" for a message about the unknown `word`, or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tamis
