#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kModeBeforeUmask = 0666;
constexpr mode_t kPermissions = 0777;
constexpr std::string_view kTemporaryStart = ".tamis-";
constexpr std::string_view kTemporaryEnd = ".tmp";

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw IoError(fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno)));
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr),
                                                             &std::free);
  return resolved ? resolved.get() : path;
}

/// Where a chain of links ends at which there is no file yet.
std::string end_of_dangling_links(fs::path path) {
  std::error_code error;
  // A loop cannot be: stat() has come to the end of the chain.
  while (fs::is_symlink(fs::symlink_status(path, error)))
    path = path.parent_path() / fs::read_symlink(path, error);
  return path.string();
}

/// Whether nobody writes a temporary file any more: its writer locks it as long as it lives, on
/// whatever machine. A file system without locks leaves that open, and so do we.
bool is_abandoned(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

/// Locks a new temporary file; false if another process took it for a leftover just before.
bool claim(int descriptor) {
  const bool is_taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat status {};
  const bool is_gone = fstat(descriptor, &status) == 0 && status.st_nlink == 0;
  return !is_taken && !is_gone;
}

bool is_temporary_name(const std::string& name) {
  return name.starts_with(kTemporaryStart) && name.ends_with(kTemporaryEnd);
}

/// Removes what killed runs left in a folder.
void remove_leftovers(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_temporary_name(entry->path().filename().string())) continue;
    const std::string path = entry->path().string();
    const int descriptor =
        open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);  // no link, no pipe
    if (descriptor < 0) continue;
    if (is_abandoned(descriptor)) unlink(path.c_str());
    close(descriptor);
  }
}

/// Once per folder and process: looking through a large one takes time.
void remove_leftovers_once(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> seen;
  const std::scoped_lock lock(mutex);
  if (seen.insert(folder).second) remove_leftovers(folder);
}

}  // namespace

/// The name of a temporary file where a signal handler finds it. Registrations are chained once,
/// reused, and never freed, so that the handler may walk the chain at any moment.
class AtomicFile::Registration {
 public:
  /// A place for a name, which holds none yet.
  static Registration* open() {
    Registration* place = first;
    while (place != nullptr && place->is_taken_.exchange(true)) place = place->next_;
    return place == nullptr ? chained() : place;
  }
  void complete(const std::string& path) {
    // A longer path could not have been opened.
    std::memcpy(path_.data(), path.c_str(), std::min(path.size() + 1, path_.size()));
    is_complete_ = true;
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
  if (!exists && errno != ENOENT) refuse(path_, "be written");  // a loop of links, for instance
  if (exists && S_ISDIR(status.st_mode)) throw IoError(fmt::format("{}: is a directory", path_));
  if (exists && !S_ISREG(status.st_mode)) {
    temporary_path_ = path_;
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    path_ = exists ? real_path(path_) : end_of_dangling_links(path_);
    create_temporary(exists ? status.st_mode & kPermissions : kModeBeforeUmask);
    // What the umask took from a mode that is kept comes back.
    if (descriptor_ >= 0 && exists) fchmod(descriptor_, status.st_mode & kPermissions);
  }
  if (descriptor_ < 0) refuse(path_, "be written");
}

/// The name is short, so that it fits wherever the file's own name does.
void AtomicFile::create_temporary(mode_t mode) {
  const fs::path folder = fs::path(path_).parent_path();
  remove_leftovers_once(folder.empty() ? "." : folder);
  // Before the file: nobody would remove that if there were no memory for the registration.
  const auto close_place = [](Registration* place) { place->close(); };
  std::unique_ptr<Registration, decltype(close_place)> place(Registration::open());
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_path_ =
        folder / fmt::format("{}{}-{}{}", kTemporaryStart, getpid(), attempt, kTemporaryEnd);
    descriptor_ = open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ < 0 && errno != EEXIST) return;
    if (descriptor_ >= 0 && !claim(descriptor_)) close(std::exchange(descriptor_, -1));
  }
  registration_ = place.release();
  registration_->complete(temporary_path_);
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
