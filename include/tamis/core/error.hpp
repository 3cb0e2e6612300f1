#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tamis {

/// Everything the library throws on purpose. It never prints, exits or aborts.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The caller asked for something that does not exist or is out of range. The program exits with 2.
class InvalidArgument : public Error {
  using Error::Error;
};

/// The data cannot be read or do not allow what was asked. The program exits with 3.
class DataError : public Error {
  using Error::Error;
};

/// The computation found no result, though nothing was wrong with what it was given. The program
/// exits with 1.
class ComputationError : public Error {
  using Error::Error;
};

/// The operating system refused to read or write. The program exits with 4.
class IoError : public Error {
  using Error::Error;
};

/// The caller's progress sink asked to stop. The program exits with 130.
class Interrupted : public Error {
  using Error::Error;
};

/// The candidate that differs from `word` by the fewest edits (at most two, or a third of its
/// length); empty if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'near'?" for a message about the unknown `word`, or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tamis
