#include "io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kLargestRead = std::size_t{1} << 30;  // gzread counts in int
constexpr unsigned kInflateBuffer = 1u << 18;
constexpr std::size_t kFirstCapacity = std::size_t{1} << 16;

gzFile as_gz(void* stream) { return static_cast<gzFile>(stream); }

int open_descriptor(const std::string& path) {
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
  return descriptor;
}

}  // namespace

ByteSource::ByteSource(const std::string& path)
    : path_(path), name_(path == "-" ? "standard input" : path) {
  descriptor_ = open_descriptor(path);
  struct stat status {};
  if (fstat(descriptor_, &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      close(descriptor_);
      throw IoError(fmt::format("{}: is a directory, not a file", name_));
    }
    if (S_ISREG(status.st_mode) && path != "-")
      file_size_ = static_cast<std::size_t>(status.st_size);
  }
  stream_ = gzdopen(descriptor_, "rb");
  if (stream_ == nullptr) {
    close(descriptor_);
    throw std::bad_alloc();
  }
  gzbuffer(as_gz(stream_), kInflateBuffer);
}

ByteSource::~ByteSource() {
  if (mapping_ != nullptr) munmap(mapping_, *file_size_);
  gzclose(as_gz(stream_));
}

std::size_t ByteSource::fetch(char* out, std::size_t count) {
  std::size_t total = 0;
  while (total < count && !at_end_) {
    const auto wanted = static_cast<unsigned>(std::min(count - total, kLargestRead));
    errno = 0;
    const int got = gzread(as_gz(stream_), out + total, wanted);
    int code = Z_OK;
    const char* const reason = gzerror(as_gz(stream_), &code);
    if (code == Z_ERRNO)
      throw IoError(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
    if (got < 0 || code < 0)
      throw DataError(
          fmt::format("{}: the gzip-compressed content is damaged or cut off ({})", name_, reason));
    at_end_ = static_cast<unsigned>(got) < wanted;
    total += static_cast<std::size_t>(got);
  }
  fetched_ += total;
  return total;
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
  const bool is_worth_mapping = file_size_ && *file_size_ > kFirstCapacity && is_plain_file();
  const std::string_view mapped = is_worth_mapping ? map_file() : std::string_view{};
  return mapped.empty() ? peek(std::numeric_limits<std::size_t>::max()) : mapped;
}

std::string_view ByteSource::map_file() {
  if (mapping_ == nullptr) {
    void* const mapping =
        mmap(nullptr, *file_size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor_, 0);
    if (mapping == MAP_FAILED) return {};
    mapping_ = mapping;
  }
  const std::size_t consumed = fetched_ - (end_ - begin_);
  return std::string_view(static_cast<const char*>(mapping_), *file_size_).substr(consumed);
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
