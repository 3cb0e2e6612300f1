#include "core/scratch_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Calls transfer(done) until `size` bytes are; it returns how many more were, or -1.
template <class Transfer>
void transfer_all(const std::string& folder, std::size_t size, const Transfer& transfer) {
  for (std::size_t done = 0; done < size;) {
    errno = 0;
    const ssize_t count = transfer(done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw IoError(fmt::format("{}: a temporary file there fails: {}", folder,
                                errno == 0 ? "it ends early" : std::strerror(errno)));
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace

ScratchFile::ScratchFile(std::string folder) : folder_(std::move(folder)) {
  std::string path = folder_ + "/tamis-XXXXXX";
  file_ = mkstemp(path.data());
  if (file_ < 0)
    throw IoError(
        fmt::format("{}: no temporary file can be made there: {}", folder_, std::strerror(errno)));
  unlink(path.c_str());
}

ScratchFile::~ScratchFile() {
  if (file_ >= 0) close(file_);
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : folder_(std::move(other.folder_)), file_(std::exchange(other.file_, -1)) {}

ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(file_, other.file_);
  return *this;
}

void ScratchFile::write(Index place, std::span<const std::byte> bytes) {
  transfer_all(folder_, bytes.size(), [&](std::size_t done) {
    return pwrite(file_, bytes.data() + done, bytes.size() - done,
                  place + static_cast<Index>(done));
  });
}

void ScratchFile::read(Index place, std::span<std::byte> bytes) const {
  transfer_all(folder_, bytes.size(), [&](std::size_t done) {
    return pread(file_, bytes.data() + done, bytes.size() - done, place + static_cast<Index>(done));
  });
}

}  // namespace tamis
