#include "io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

#include "io/expansion.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kLargestRead = std::size_t{1} << 30;  // gzread counts in int
constexpr unsigned kInflateBuffer = 1u << 18;
constexpr std::size_t kFirstCapacity = std::size_t{1} << 16;

gzFile as_gz(void* stream) { return static_cast<gzFile>(stream); }

/// What zlib says of a failed read, without the name that it gives the file: errno may be older.
std::string_view reason_of(std::string_view message) {
  const std::size_t end_of_name = message.find(": ");
  return end_of_name == std::string_view::npos ? message : message.substr(end_of_name + 2);
}

int open_descriptor(const std::string& path) {
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
  return descriptor;
}

}  // namespace

ByteSource::ByteSource(const std::string& path, bool is_trusted)
    : path_(path), name_(path == "-" ? "standard input" : path) {
  const int descriptor = open_descriptor(path);
  struct stat status {};
  if (fstat(descriptor, &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      close(descriptor);
      throw IoError(fmt::format("{}: is a directory, not a file", name_));
    }
    if (S_ISREG(status.st_mode)) stored_size_ = static_cast<std::size_t>(status.st_size);
    if (path != "-") file_size_ = stored_size_;
  }
  largest_content_ = largest_content(stored_size_, is_trusted);
  stream_ = gzdopen(descriptor, "rb");  // which closes it
  if (stream_ == nullptr) {
    close(descriptor);
    throw std::bad_alloc();
  }
  gzbuffer(as_gz(stream_), kInflateBuffer);
}

ByteSource::~ByteSource() { gzclose(as_gz(stream_)); }

std::size_t ByteSource::fetch(char* out, std::size_t count) {
  std::size_t total = 0;
  while (total < count && !at_end_) {
    const bool is_plain = gzdirect(as_gz(stream_)) != 0;
    const std::size_t room = is_plain ? kLargestRead : largest_content_ - fetched_ - total;
    if (room == 0) refuse_expansion(name_, stored_size_);
    const auto wanted = static_cast<unsigned>(std::min({count - total, kLargestRead, room}));
    const int got = gzread(as_gz(stream_), out + total, wanted);
    int code = Z_OK;
    const char* const reason = gzerror(as_gz(stream_), &code);
    if (code == Z_ERRNO)
      throw IoError(fmt::format("{}: cannot be read: {}", name_, reason_of(reason)));
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (got < 0 || code < 0)
      throw DataError(
          fmt::format("{}: the gzip-compressed content is damaged or cut off ({})", name_, reason));
    at_end_ = static_cast<unsigned>(got) < wanted;
    total += static_cast<std::size_t>(got);
  }
  fetched_ += total;
  check_end();
  return total;
}

void ByteSource::check_end() const {
  if (at_end_ && is_plain_file() && fetched_ < *file_size_)
    throw IoError(fmt::format("{}: became shorter while it was read", name_));
}

void ByteSource::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  char* const larger = static_cast<char*>(std::realloc(buffer_.get(), capacity));
  if (larger == nullptr) throw std::bad_alloc();
  static_cast<void>(buffer_.release());
  buffer_.reset(larger);
  capacity_ = capacity;
}

std::string_view ByteSource::peek(std::size_t count) {
  while (end_ - begin_ < count && !at_end_) {
    if (end_ == capacity_) reserve(std::max(kFirstCapacity, 2 * capacity_));
    end_ += fetch(buffer_.get() + end_, std::min(capacity_ - end_, count - (end_ - begin_)));
  }
  return {buffer_.get() + begin_, std::min(count, end_ - begin_)};
}

std::string_view ByteSource::rest() {
  // One more than there is: the read that it asks for finds the end.
  if (const auto left = remaining()) reserve(begin_ + *left + 1);
  return peek(std::numeric_limits<std::size_t>::max());
}

std::size_t ByteSource::read(char* out, std::size_t count) {
  const std::size_t buffered = std::min(count, end_ - begin_);
  if (buffered > 0) std::memcpy(out, buffer_.get() + begin_, buffered);
  begin_ += buffered;
  return buffered + fetch(out + buffered, count - buffered);
}

std::optional<std::size_t> ByteSource::remaining() const {
  if (at_end_) return end_ - begin_;
  if (!file_size_ || gzdirect(as_gz(stream_)) == 0) return std::nullopt;
  return std::max(*file_size_, fetched_) - fetched_ + (end_ - begin_);
}

bool ByteSource::is_plain_file() const { return file_size_ && gzdirect(as_gz(stream_)) != 0; }

}  // namespace tamis
