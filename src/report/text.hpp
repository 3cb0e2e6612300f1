#pragma once

#include <string>
#include <string_view>

namespace tamis {

/// The text as valid UTF-8 without control characters but tab and line ends: each byte that does
/// not belong becomes U+FFFD.
std::string clean_text(std::string_view text);

/// How wide clean text is, in units of the font size, for a common sans-serif font. An estimate on
/// the wide side.
double text_width(std::string_view text);

/// The text, or its beginning and an ellipsis, at most so wide.
std::string shortened(std::string_view text, double width);

/// A number for people: four significant digits, "–" for what is undefined.
std::string for_people(double value);

/// The same where there is little room: three digits, two if the number is tiny.
std::string briefly(double value);

}  // namespace tamis
