#include "io/record_reader.hpp"

#include <algorithm>
#include <string_view>

#include "io/delimited.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// So many bytes stay in a CPU's cache until their numbers are read.
constexpr std::size_t kPieceBytes = std::size_t{1} << 18;

/// Enough for each thread to have something to do.
std::size_t run_bytes() {
  constexpr Index kMostPieces = 32;
  const Index threads = max_threads();
  return kPieceBytes *
         static_cast<std::size_t>(threads == 1 ? 1 : std::min(2 * threads, kMostPieces));
}

}  // namespace

RecordReader::RecordReader(std::shared_ptr<const StoredText> text, std::size_t begin,
                           char delimiter)
    : text_(std::move(text)), delimiter_(delimiter), offset_(begin) {}

void RecordReader::read_on(std::vector<std::size_t>& ends) {
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(found_));
  offset_ += found_;
  size_ -= found_;
  found_ = 0;
  while (found_ == 0 && !is_at_end_) {
    read_more();
    find_records(ends);
  }
}

/// At least as much as is held, so that the start of a long line is seldom looked at again.
void RecordReader::read_more() {
  constexpr std::size_t kBehind = 64;  // so that the last numbers are read as fast as the others
  const std::size_t wanted = std::max(run_bytes(), size_);
  held_.resize(size_ + wanted + kBehind);
  const std::span<char> room = std::span(held_).subspan(size_, wanted);
  const std::size_t count = text_->read_up_to(offset_ + size_, room);
  if (std::string_view(room.data(), count).find('"') != std::string_view::npos)
    throw LinesAreNoRecords();
  size_ += count;
  is_at_end_ = count < wanted;
  held_.resize(size_ + kBehind);
  std::fill_n(held_.end() - kBehind, kBehind, '\n');
}

/// Looks at the lines whose ends are held; the last one of the text needs none.
void RecordReader::find_records(std::vector<std::size_t>& ends) {
  const std::string_view text(held_.data(), size_);
  while (found_ < size_) {
    const std::size_t line_end = std::min(text.find('\n', found_), size_);
    if (line_end == size_ && !is_at_end_) return;
    const char first = text[found_];
    const bool is_empty = first == '\n' || first == '\r';
    const bool may_be_blank = first == ' ' || (first == '\t' && delimiter_ != '\t');
    is_behind_ = is_behind_ || is_empty;
    if (!is_empty && (is_behind_ || may_be_blank || begins_like_comment(text.substr(found_, 1))))
      throw LinesAreNoRecords();
    if (!is_behind_) ends.push_back(offset_ + line_end + 1);
    found_ = std::min(line_end + 1, size_);
  }
}

}  // namespace tamis
