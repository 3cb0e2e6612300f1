#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"

namespace tamis {

/// The whole content of a source as UTF-8 lines that end in LF. UTF-16 that begins with a byte
/// order mark, and lines that end in CR alone, are written anew into `recoded`; all else stays
/// where it is, and `recoded` empty.
std::string_view plain_text(ByteSource& source, std::string& recoded);

/// Whether a text that begins so, and goes on, is such lines already.
bool is_plain_start(std::string_view start);

/// UTF-16, whose byte order its first two bytes say, as UTF-8. What is no character becomes U+FFFD.
std::string utf8_of_utf16(std::string_view bytes);

}  // namespace tamis
