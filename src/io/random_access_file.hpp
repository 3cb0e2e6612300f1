#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tamis {

/// A regular file of which any part is read.
class RandomAccessFile {
 public:
  /// @throws IoError naming the path and the reason
  explicit RandomAccessFile(std::string path);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  const std::string& path() const { return path_; }
  /// @throws IoError if it cannot be read or is not as long any more
  void read(std::uint64_t offset, std::span<char> out) const;

 private:
  std::string path_;
  int descriptor_;
};

/// Which file it is and what tells that it changed: its path as the system sees it, size and time.
/// @throws IoError if it is gone
std::string file_fingerprint(const std::string& path);

}  // namespace tamis
