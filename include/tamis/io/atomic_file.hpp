#pragma once

#include <string>
#include <string_view>

namespace tamis {

/// A file that appears whole or not at all: written beside its destination under a temporary name
/// and renamed by commit(); without commit() the destructor removes it.
class AtomicFile {
 public:
  /// @throws IoError naming the path and the reason
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  const std::string& temporary_path() const { return temporary_path_; }
  void commit();

 private:
  std::string path_;
  std::string temporary_path_;
  int descriptor_ = -1;
};

}  // namespace tamis
