#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tamis/core/index.hpp"

namespace tamis {

/// A file without a name, for what does not fit into memory: it is gone when it is closed, and when
/// the process ends in whatever way.
class ScratchFile {
 public:
  /// @throws IoError if there is no such folder, or no file can be made in it
  explicit ScratchFile(std::string folder);
  ~ScratchFile();
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&& other) noexcept;

  /// @throws IoError if the disk is full or fails
  void write(Index place, std::span<const std::byte> bytes);
  void read(Index place, std::span<std::byte> bytes) const;

 private:
  std::string folder_;
  int file_ = -1;
};

}  // namespace tamis
