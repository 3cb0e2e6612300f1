#include "io/words.hpp"

#include "io/delimited.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {
namespace {

constexpr std::size_t kPieceSize = std::size_t{1} << 20;

/// How many bytes another source has that is left to be read.
std::size_t counted_bytes(ByteSource&& source) {
  Buffer<char> piece(kPieceSize);
  std::size_t all = 0;
  while (const std::size_t count = source.read(piece.data(), piece.size())) all += count;
  return all;
}

}  // namespace

std::size_t content_size(ByteSource& source) {
  if (const auto left = source.remaining()) return *left;
  if (source.can_be_read_again())
    return counted_bytes(ByteSource(source.path(), source.is_trusted()));
  return source.rest().size();
}

NumberedLines::NumberedLines(ByteSource& source) : NumberedLines(source, content_size(source)) {}

NumberedLines::NumberedLines(ByteSource& source, std::size_t bytes)
    : file_(source.name()), bytes_(bytes), source_(&source) {
  trim_text(file_, source.peek(kPieceSize));
  fetch();
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

/// Goes on until there is a whole line.
void NumberedLines::fetch() {
  piece_.erase(0, piece_.size() - text_.size());  // the text is its end
  bool has_line = false;
  while (source_ != nullptr && !has_line) {
    const std::size_t held = piece_.size();
    const std::size_t wanted = std::max(kPieceSize, held);
    piece_.resize(held + wanted);
    const std::size_t got = source_->read(piece_.data() + held, wanted);
    piece_.resize(held + got);
    has_line = piece_.find('\n', held) != std::string::npos;
    if (got < wanted) source_ = nullptr;
  }
  text_ = piece_;
}

}  // namespace tamis
