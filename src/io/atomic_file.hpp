#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace tamis {

/// A file that appears whole or not at all: written beside its destination under a temporary name
/// and renamed by commit(); without commit() the destructor removes it. What a killed process left
/// behind, the next one that writes into the same folder removes.
///
/// A file that is replaced keeps its mode. A destination that is no regular file (a pipe,
/// /dev/null) is written directly. A symbolic link keeps pointing where it did, and the file
/// appears there, whether there was one before or not; links that lead back to themselves are
/// refused.
class AtomicFile {
 public:
  /// @throws IoError naming the path and the reason
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// @throws IoError naming the path and the reason, as does commit()
  void write(std::string_view bytes);
  const std::string& temporary_path() const { return temporary_path_; }
  void commit();

  /// Removes every temporary file that waits for commit(). Only what POSIX allows in a signal
  /// handler: for a program that is about to end.
  static void remove_unfinished() noexcept;

 private:
  class Registration;

  void create_temporary(mode_t mode);

  std::string path_;
  std::string temporary_path_;
  int descriptor_ = -1;
  Registration* registration_ = nullptr;  // of a temporary file that waits for commit()
};

}  // namespace tamis
