#include "io/random_access_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
}

}  // namespace

RandomAccessFile::RandomAccessFile(std::string path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) refuse(path_);
}

RandomAccessFile::~RandomAccessFile() { close(descriptor_); }

void RandomAccessFile::read(std::uint64_t offset, std::span<char> out) const {
  while (!out.empty()) {
    const ssize_t count = pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path_);
    if (count == 0) throw IoError(fmt::format("{}: became shorter while it was read", path_));
    offset += static_cast<std::uint64_t>(count);
    out = out.subspan(static_cast<std::size_t>(count));
  }
}

std::string file_fingerprint(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) refuse(path);
  std::error_code none;
  const std::filesystem::path whole = std::filesystem::canonical(path, none);
  return fmt::format("{}, {} bytes, changed at {}.{:09}", none ? path : whole.string(),
                     facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

}  // namespace tamis
