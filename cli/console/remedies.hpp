#pragma once

#include <string>

#include "tamis/core/remedy.hpp"

namespace tamis::cli {

/// The text, and what to do about it in the words of this program: its flags.
std::string with_remedy(std::string text, const Remedy& remedy);

}  // namespace tamis::cli
