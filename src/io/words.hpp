#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "io/byte_source.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/index.hpp"

/// Text that is lines of words.
namespace tamis {

inline constexpr std::string_view kBlanks = " \t\r";

/// Cuts the next line off the text, without its end.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// Cuts the next word off the line; empty at its end.
inline std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

/// How many bytes a source has. What is compressed is decompressed once for that, or held if it
/// cannot be read again.
std::size_t content_size(ByteSource& source);

/// The lines of a file, counted for messages. A line lasts until the next one is taken.
class NumberedLines {
 public:
  /// Lines of a text that is in memory.
  NumberedLines(const std::string& file, std::string_view text)
      : file_(file), bytes_(text.size()), text_(text) {}
  /// Lines of a source, of which a piece is in memory at a time, unless it can tell its size in no
  /// other way. @throws DataError if it is no text
  explicit NumberedLines(ByteSource& source);
  /// The same if its size is known.
  NumberedLines(ByteSource& source, std::size_t bytes);
  NumberedLines(const NumberedLines&) = delete;
  NumberedLines& operator=(const NumberedLines&) = delete;

  const std::string& file() const { return file_; }
  /// Of all lines.
  std::size_t bytes() const { return bytes_; }
  bool is_at_end() {
    if (text_.empty() && source_ != nullptr) fetch();
    return text_.empty();
  }
  /// Of the line that was taken last, from 1.
  Index number() const { return number_; }
  /// The next line, or an empty one behind the last.
  std::string_view take() {
    ++number_;
    if (source_ != nullptr && text_.find('\n') == std::string_view::npos) fetch();
    return take_line(text_);
  }
  /// The next line with something in it that is no comment, which begins with %; or an empty one
  /// behind the last.
  std::string_view take_content() {
    while (!is_at_end()) {
      std::string_view line = take();
      line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
      if (!line.empty() && line.front() != '%') return line;
    }
    ++number_;
    return {};
  }

  /// @throws DataError naming file and line
  template <class... Parts>
  [[noreturn]] void refuse(fmt::format_string<Parts...> message, Parts&&... parts) const {
    throw DataError(fmt::format("{}:{}: {}", file_, number_,
                                fmt::format(message, std::forward<Parts>(parts)...)));
  }

 private:
  void fetch();

  const std::string& file_;
  std::size_t bytes_;
  ByteSource* source_ = nullptr;  // of what is not in memory yet
  std::string piece_ = {};        // of it, which the text lies in
  std::string_view text_ = {};
  Index number_ = 0;
};

}  // namespace tamis
