#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"
#include "tamis/core/remedy.hpp"

namespace tamis {

/// The whole content of a source as UTF-8 lines that end in LF. UTF-16 that begins with a byte
/// order mark, and lines that end in CR alone, are written anew into `recoded`; all else stays
/// where it is, and `recoded` empty.
std::string_view plain_text(ByteSource& source, std::string& recoded);

/// Whether a text that begins so, and goes on, is such lines already.
bool is_plain_start(std::string_view start);

bool is_utf8(std::string_view text);

/// A text as UTF-8: as it is, or, if it is none, read as Windows-1252, in which every byte is a
/// character.
std::string as_utf8(std::string text);

/// The same of many, with a note for the first one that was none, unless there is one already.
void make_utf8(std::vector<std::string>& texts, std::vector<Note>& notes);

/// UTF-16, whose byte order its first two bytes say, as UTF-8. What is no character becomes U+FFFD.
std::string utf8_of_utf16(std::string_view bytes);

}  // namespace tamis
