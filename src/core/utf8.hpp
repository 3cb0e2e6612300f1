#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tamis {

/// A character and the bytes it takes; length 0 if there is no valid one.
struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

/// The character that begins at a byte of the text.
Utf8Character utf8_at(std::string_view text, std::size_t place);

/// Whether a character moves a cursor or rings a bell instead of being seen (C0, DEL, C1).
bool is_control(std::uint32_t code);

}  // namespace tamis
