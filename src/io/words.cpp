#include "io/words.hpp"

#include "io/delimited.hpp"

namespace tamis {
namespace {

constexpr std::size_t kPieceSize = std::size_t{1} << 20;

std::size_t size_of(ByteSource& source) {
  if (!source.remaining()) source.rest();
  return *source.remaining();
}

}  // namespace

NumberedLines::NumberedLines(ByteSource& source)
    : file_(source.name()), bytes_(size_of(source)), source_(&source) {
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
