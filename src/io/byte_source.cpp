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

#include "io/decompressor.hpp"
#include "io/expansion.hpp"
#include "io/zip_archive.hpp"
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

void ByteSource::CloseFile::operator()(void* file) const { gzclose(as_gz(file)); }

ByteSource::ByteSource(const std::string& path, bool is_trusted)
    : path_(path), name_(path == "-" ? "standard input" : path), is_trusted_(is_trusted) {
  open();
  const std::string start(peek(kLongestCompressionMagic));
  if (compression_of(start) != nullptr) decompress(start);
  if (starts_with(kZipMagic)) unpack();
}

ByteSource::ByteSource(BytesInMemory content)
    : name_(std::move(content.name)), lines_added_(content.lines_added) {
  hold(std::move(content.bytes));
}

ByteSource::ByteSource(std::string name, std::unique_ptr<ByteStream> stream, std::size_t size)
    : name_(std::move(name)), stream_(std::move(stream)), stored_size_(size) {}

ByteSource::~ByteSource() = default;

void ByteSource::open() {
  const int descriptor = open_descriptor(path_);
  const auto refuse = [&](const std::string& why) {
    close(descriptor);
    throw IoError(fmt::format("{}: {}", name_, why));
  };
  struct stat status {};
  if (fstat(descriptor, &status) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse("is a directory, not a file");
  if (S_ISREG(status.st_mode)) stored_size_ = static_cast<std::size_t>(status.st_size);
  if (path_ != "-") file_size_ = stored_size_;
  largest_content_ = largest_content(stored_size_, is_trusted_);
  file_.reset(gzdopen(descriptor, "rb"));  // which closes it
  if (file_ == nullptr) {
    close(descriptor);
    throw std::bad_alloc();
  }
  gzbuffer(as_gz(file_.get()), kInflateBuffer);
}

/// @param start what was read already
void ByteSource::decompress(const std::string& start) {
  const auto feed = [this, start, given = std::size_t{0}](char* out, std::size_t count) mutable {
    const std::size_t first = start.copy(out, count, given);
    given += first;
    return first + read_file(out + first, count - first);
  };
  stream_ = compression_of(start)->open(name_, feed);
  begin_ = end_ = fetched_ = 0;
  at_end_ = false;
}

/// Goes on with the file in a ZIP archive, if there is only one. Others are of some format.
void ByteSource::unpack() {
  ZipArchive archive(*this, is_trusted_);
  const std::vector<ZipMember>& members = archive.members();
  const bool is_numpys = members.size() == 1 && members.front().name.ends_with(".npy");
  if (members.size() == 1 && !is_numpys) hold(archive.read(members.front()));
}

void ByteSource::hold(std::string content) {
  content_ = std::move(content);
  buffer_.reset();
  bytes_ = content_.data();
  begin_ = 0;
  end_ = content_.size();
  file_size_.reset();
  at_end_ = true;
}

bool ByteSource::is_compressed() const {
  return stream_ != nullptr || gzdirect(as_gz(file_.get())) == 0;
}

std::size_t ByteSource::fetch(char* out, std::size_t count) {
  std::size_t total = 0;
  while (total < count && !at_end_) {
    const bool is_limited = file_ != nullptr && is_compressed();
    const std::size_t room = is_limited ? largest_content_ - fetched_ - total : kLargestRead;
    if (room == 0) refuse_expansion(name_, stored_size_);
    const std::size_t wanted = std::min({count - total, kLargestRead, room});
    const std::size_t got =
        stream_ ? stream_->read(out + total, wanted) : read_file(out + total, wanted);
    at_end_ = got < wanted;
    total += got;
  }
  fetched_ += total;
  check_end();
  return total;
}

/// At most kLargestRead at a time.
std::size_t ByteSource::read_file(char* out, std::size_t count) {
  const int got = gzread(as_gz(file_.get()), out, static_cast<unsigned>(count));
  int code = Z_OK;
  const char* const reason = gzerror(as_gz(file_.get()), &code);
  if (code == Z_ERRNO)
    throw IoError(fmt::format("{}: cannot be read: {}", name_, reason_of(reason)));
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  if (got < 0 || code < 0)
    throw DataError(
        fmt::format("{}: the gzip-compressed content is damaged or cut off ({})", name_, reason));
  return static_cast<std::size_t>(got);
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
  bytes_ = larger;
  capacity_ = capacity;
}

std::string_view ByteSource::peek(std::size_t count) {
  while (end_ - begin_ < count && !at_end_) {
    if (end_ == capacity_) reserve(std::max(kFirstCapacity, 2 * capacity_));
    end_ += fetch(buffer_.get() + end_, std::min(capacity_ - end_, count - (end_ - begin_)));
  }
  return {bytes_ + begin_, std::min(count, end_ - begin_)};
}

std::string_view ByteSource::rest() {
  // One more than there is: the read that it asks for finds the end.
  const auto left = remaining();
  if (left && !at_end_) reserve(begin_ + *left + 1);
  return peek(std::numeric_limits<std::size_t>::max());
}

std::size_t ByteSource::read(char* out, std::size_t count) {
  const std::size_t buffered = std::min(count, end_ - begin_);
  if (buffered > 0) std::memcpy(out, bytes_ + begin_, buffered);
  begin_ += buffered;
  return buffered + fetch(out + buffered, count - buffered);
}

std::optional<std::size_t> ByteSource::remaining() const {
  if (at_end_) return end_ - begin_;
  const std::optional<std::size_t> size = file_ == nullptr ? stored_size_ : file_size_;
  if (!size || (file_ != nullptr && is_compressed())) return std::nullopt;
  return std::max(*size, fetched_) - fetched_ + (end_ - begin_);
}

std::size_t ByteSource::likely_size() const {
  if (const auto left = remaining()) return fetched_ - (end_ - begin_) + *left;
  const auto stored = static_cast<double>(stored_size_.value_or(0));
  const auto taken = static_cast<double>(std::max<z_off_t>(gzoffset(as_gz(file_.get())), 1));
  const double size = static_cast<double>(fetched_) * std::max(stored / taken, 1.0);
  constexpr double kMost = 0x1p62;
  return static_cast<std::size_t>(std::min({size, static_cast<double>(largest_content_), kMost}));
}

bool ByteSource::can_be_read_again() const { return file_size_.has_value(); }

bool ByteSource::is_plain_file() const { return file_size_ && !is_compressed(); }

}  // namespace tamis
