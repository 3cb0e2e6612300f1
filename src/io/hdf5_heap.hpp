#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tamis {

/// What HDF5 files hold in place of a text of variable length.
using Hdf5HeapReference = std::array<char, 16>;

/// Texts of variable length, in the global heap of the file whose HDF5 part starts at byte `base`.
/// Read by our own code, as HDF5 1.10 loops for ever on some heaps with wrong sizes.
/// "HDF5 File Format Specification", III.E, "Disk Format: Level 1E - Global Heap".
class Hdf5Heap {
 public:
  Hdf5Heap(const std::string& path, std::uint64_t base);

  /// The text that a reference leads to, up to the next call; nothing if it is damaged.
  /// @throws IoError if the file cannot be read
  std::optional<std::string_view> text(const Hdf5HeapReference& reference);

 private:
  bool open_collection(std::uint64_t address);
  /// Whether the file has as many bytes there as `out` has room for.
  bool read(std::uint64_t at, std::string& out);

  std::string path_;
  std::ifstream file_;
  std::uint64_t base_;
  std::optional<std::uint64_t> address_ = std::nullopt;  // of the collection at hand
  std::string collection_ = {};
  std::vector<std::optional<std::string_view>> objects_ = {};  // in it, by their numbers
};

}  // namespace tamis
