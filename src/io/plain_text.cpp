#include "io/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/utf8.hpp"
#include "io/delimited.hpp"

namespace tamis {
namespace {

constexpr std::string_view kLittleEndian = "\xFF\xFE";
constexpr std::string_view kBigEndian = "\xFE\xFF";

/// The 16-bit units of a text, and the characters that they make.
class Units {
 public:
  Units(std::string_view bytes, bool is_big_endian)
      : bytes_(bytes), is_big_endian_(is_big_endian) {}

  bool at_end() const { return at_ + 1 >= bytes_.size(); }

  std::uint32_t next_character() {
    const std::uint32_t unit = next();
    const bool is_pair = !at_end() && is_surrogate_pair(unit, peek());
    return is_pair ? character_of_pair(unit, next()) : unit;
  }

 private:
  std::uint32_t byte(std::size_t at) const { return static_cast<unsigned char>(bytes_[at]); }
  std::uint32_t peek() const {
    return is_big_endian_ ? byte(at_) << 8 | byte(at_ + 1) : byte(at_ + 1) << 8 | byte(at_);
  }
  std::uint32_t next() {
    const std::uint32_t unit = peek();
    at_ += 2;
    return unit;
  }

  std::string_view bytes_;
  bool is_big_endian_;
  std::size_t at_ = 0;
};

bool is_utf16(std::string_view text) {
  return text.starts_with(kLittleEndian) || text.starts_with(kBigEndian);
}

bool has_only_carriage_returns(std::string_view text) {
  return text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos;
}

/// Characters of Windows-1252 from 0x80 to 0x9F; all others are those of Unicode.
constexpr std::array<std::uint16_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = utf8_at(text, at).length;
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string as_utf8(std::string text) {
  if (is_utf8(text)) return text;
  std::string recoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_special = byte >= 0x80 && byte < 0xA0;
    append_utf8(recoded, is_special ? kWindows1252[byte - 0x80] : byte);
  }
  return recoded;
}

void make_utf8(std::vector<std::string>& texts, std::vector<Note>& notes) {
  constexpr std::string_view kNote = "texts that are not UTF-8 are read as Windows-1252";
  for (std::string& text : texts) {
    if (is_utf8(text)) continue;
    text = as_utf8(std::move(text));
    if (std::ranges::none_of(notes, [&](const Note& note) { return note.text.starts_with(kNote); }))
      notes.push_back({fmt::format("{}: {}", kNote, shown(text))});
  }
}

std::string utf8_of_utf16(std::string_view bytes) {
  Units units(bytes.substr(kBigEndian.size()), bytes.starts_with(kBigEndian));
  std::string text;
  text.reserve(bytes.size());
  while (!units.at_end()) append_utf8(text, units.next_character());
  return text;
}

bool is_plain_start(std::string_view start) {
  return !is_utf16(start) && start.find('\n') != std::string_view::npos;
}

std::string_view plain_text(ByteSource& source, std::string& recoded) {
  std::string_view text = source.rest();
  if (is_utf16(text)) text = recoded = utf8_of_utf16(text);
  if (has_only_carriage_returns(text)) {
    if (recoded.empty()) recoded = text;
    std::ranges::replace(recoded, '\r', '\n');
    text = recoded;
  }
  return text;
}

}  // namespace tamis
