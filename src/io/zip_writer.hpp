#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/atomic_file.hpp"

namespace tamis {

/// A ZIP archive of files as they are, not compressed, which appears whole or not at all. libzip
/// would write to a file of its own and rename that, past what AtomicFile promises.
class ZipWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// @throws IoError as AtomicFile does; so do the others
  explicit ZipWriter(const std::string& path) : file_(path) {}

  /// Adds a file. Its size and checksum stand before its bytes, so it is asked for them twice:
  /// content(sink) hands the same bytes to the sink each time.
  void add(std::string name, const std::function<void(const Sink&)>& content);

  void commit();

 private:
  struct Entry {
    std::string name;
    std::uint32_t checksum;
    std::uint64_t size;
    std::uint64_t offset;
  };

  void write(std::string_view bytes);
  void write_directory();

  AtomicFile file_;
  std::uint64_t written_ = 0;
  std::vector<Entry> entries_ = {};
};

}  // namespace tamis
