#include "io/plain_text.hpp"

#include <algorithm>
#include <cstdint>

#include "core/utf8.hpp"

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

}  // namespace

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
