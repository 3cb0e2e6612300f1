#pragma once

#include <string>
#include <string_view>

namespace tamis {

/// Text from a file or a command line, such that it moves no cursor: control characters, and those
/// that turn the direction of writing, as \t, \n, \x1b or \u202e; a broken byte as U+FFFD.
std::string printable(std::string_view text);

}  // namespace tamis
