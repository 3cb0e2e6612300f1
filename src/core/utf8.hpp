#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tamis {

/// A character and the bytes it takes; length 0 if there is no valid one.
struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

/// The character that begins at a byte of the text.
Utf8Character utf8_at(std::string_view text, std::size_t place);

/// What Unicode has in place of what is no character.
inline constexpr std::uint32_t kReplacementCharacter = 0xFFFD;

/// Adds a character to a text, or its replacement if it is none.
void append_utf8(std::string& text, std::uint32_t code);

/// Whether two units of UTF-16 make one character, and which one. A surrogate alone is none.
bool is_surrogate_pair(std::uint32_t first, std::uint32_t second);
std::uint32_t character_of_pair(std::uint32_t first, std::uint32_t second);

/// Whether a character moves a cursor or rings a bell instead of being seen (C0, DEL, C1).
bool is_control(std::uint32_t code);

}  // namespace tamis
