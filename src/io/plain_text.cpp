#include "io/plain_text.hpp"

#include <algorithm>

namespace tamis {
namespace {

constexpr std::string_view kLittleEndian = "\xFF\xFE";
constexpr std::string_view kBigEndian = "\xFE\xFF";
constexpr char32_t kReplacement = 0xFFFD;

/// The 16-bit units of a text, and the characters that they make.
class Units {
 public:
  Units(std::string_view bytes, bool is_big_endian)
      : bytes_(bytes), is_big_endian_(is_big_endian) {}

  bool at_end() const { return at_ + 1 >= bytes_.size(); }

  char32_t next_character() {
    const char32_t unit = next();
    if (unit < 0xD800 || unit > 0xDFFF) return unit;
    if (unit > 0xDBFF || at_end() || !is_low_surrogate(peek())) return kReplacement;
    return 0x10000 + ((unit - 0xD800) << 10) + (next() - 0xDC00);
  }

 private:
  static bool is_low_surrogate(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }
  char32_t byte(std::size_t at) const { return static_cast<unsigned char>(bytes_[at]); }
  char32_t peek() const {
    return is_big_endian_ ? byte(at_) << 8 | byte(at_ + 1) : byte(at_ + 1) << 8 | byte(at_);
  }
  char32_t next() {
    const char32_t unit = peek();
    at_ += 2;
    return unit;
  }

  std::string_view bytes_;
  bool is_big_endian_;
  std::size_t at_ = 0;
};

void append_utf8(std::string& text, char32_t character) {
  const auto tail = [&](int shift) {
    text += static_cast<char>(0x80 | ((character >> shift) & 0x3F));
  };
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xC0 | (character >> 6));
    tail(0);
  } else if (character < 0x10000) {
    text += static_cast<char>(0xE0 | (character >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | (character >> 18));
    tail(12), tail(6), tail(0);
  }
}

bool has_only_carriage_returns(std::string_view text) {
  return text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos;
}

}  // namespace

std::string utf8_of_utf16(std::string_view bytes) {
  Units units(bytes.substr(kBigEndian.size()), bytes.starts_with(kBigEndian));
  std::string text;
  text.reserve(bytes.size());
  while (!units.at_end()) append_utf8(text, units.next_character());
  return text;
}

std::string_view plain_text(ByteSource& source, std::string& recoded) {
  std::string_view text = source.rest();
  if (text.starts_with(kLittleEndian) || text.starts_with(kBigEndian))
    text = recoded = utf8_of_utf16(text);
  if (has_only_carriage_returns(text)) {
    if (recoded.empty()) recoded = text;
    std::ranges::replace(recoded, '\r', '\n');
    text = recoded;
  }
  return text;
}

}  // namespace tamis
