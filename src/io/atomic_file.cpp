#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr mode_t kModeBeforeUmask = 0666;

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw IoError(fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno)));
}

std::string resolve_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr),
                                                             &std::free);
  return resolved ? resolved.get() : path;
}

}  // namespace

/// The name of a temporary file where a signal handler finds it. Registrations are chained once,
/// reused, and never freed, so that the handler may walk the chain at any moment.
class AtomicFile::Registration {
 public:
  static Registration* open(const std::string& path) {
    Registration* place = first;
    while (place != nullptr && place->is_taken_.exchange(true)) place = place->next_;
    if (place == nullptr) place = chained();
    // A longer path could not have been opened.
    std::memcpy(place->path_.data(), path.c_str(), std::min(path.size() + 1, place->path_.size()));
    place->is_complete_ = true;
    return place;
  }
  void close() {
    is_complete_ = false;
    is_taken_ = false;
  }
  static void remove_all() noexcept {
    for (const Registration* place = first; place != nullptr; place = place->next_)
      if (place->is_complete_) unlink(place->path_.data());
  }

 private:
  static Registration* chained() {
    auto* const place = new Registration;
    place->next_ = first;
    while (!first.compare_exchange_weak(place->next_, place)) continue;
    return place;
  }

  static inline std::atomic<Registration*> first = nullptr;
  static_assert(decltype(first)::is_always_lock_free);

  std::atomic<bool> is_taken_ = true;
  std::atomic<bool> is_complete_ = false;
  std::array<char, PATH_MAX> path_ = {};
  Registration* next_ = nullptr;
};

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
  registration_ = Registration::open(temporary_path_);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (registration_ == nullptr) return;
  unlink(temporary_path_.c_str());
  registration_->close();
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
  if (registration_ == nullptr) return;
  if (rename(temporary_path_.c_str(), path_.c_str()) != 0) refuse(path_, "be replaced");
  std::exchange(registration_, nullptr)->close();
}

void AtomicFile::remove_unfinished() noexcept { Registration::remove_all(); }

}  // namespace tamis
