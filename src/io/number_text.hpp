#pragma once

#include <string>

namespace tamis {

/// Appends the shortest text that reads back as the same number. For all who format in place: where
/// a source does that by itself, fmt's whole engine is compiled again, which takes five seconds.
void append_number(std::string& text, double value);
void append_number(std::string& text, float value);

}  // namespace tamis
