#include "tamis/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr mode_t kModeBeforeUmask = 0666;

// What a signal handler may look at; the flag is raised after the text is complete.
char registered_path[PATH_MAX];
volatile std::sig_atomic_t is_registered = 0;

void register_temporary(const std::string& path) {
  is_registered = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (path.size() >= sizeof registered_path) return;
  std::memcpy(registered_path, path.c_str(), path.size() + 1);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  is_registered = 1;
}

void unregister_temporary(const std::string& path) {
  if (path == registered_path) is_registered = 0;
}

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw IoError(fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno)));
}

std::string resolve_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr),
                                                             &std::free);
  return resolved ? resolved.get() : path;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw IoError(fmt::format("{}: is a directory", path_));
  if (exists && !S_ISREG(status.st_mode)) {
    temporary_path_ = path_;
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (exists) path_ = resolve_links(path_);
    create_temporary();
  }
  if (descriptor_ < 0) refuse(path_, "be written");
}

void AtomicFile::create_temporary() {
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_path_ = fmt::format("{}.{}-{}.tmp", path_, getpid(), attempt);
    descriptor_ =
        open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kModeBeforeUmask);
    if (descriptor_ < 0 && errno != EEXIST) return;
  }
  is_pending_ = true;
  register_temporary(temporary_path_);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!is_pending_) return;
  unlink(temporary_path_.c_str());
  unregister_temporary(temporary_path_);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(path_, "be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  // Network file systems report a full disk only when a file is closed: close before renaming.
  if (close(std::exchange(descriptor_, -1)) != 0) refuse(path_, "be written");
  if (!is_pending_) return;
  if (rename(temporary_path_.c_str(), path_.c_str()) != 0) refuse(path_, "be replaced");
  is_pending_ = false;
  unregister_temporary(temporary_path_);
}

const char* AtomicFile::current_temporary() {
  return is_registered != 0 ? registered_path : nullptr;
}

}  // namespace tamis
