#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/atomic_file.hpp"
#include "io/deflater.hpp"

namespace tamis {

/// Text on its way to a file that appears whole or not at all, compressed if its path ends in .gz.
class TextSink {
 public:
  /// @throws IoError naming the path and the reason, as do append() and commit()
  explicit TextSink(const std::string& path);

  void append(std::string_view text);
  /// The shortest text that reads back as the same number of the same type.
  void append_number(double value);
  void append_number(float value);
  void commit();

 private:
  void flush();

  AtomicFile file_;
  std::unique_ptr<Deflater> deflater_;
  std::string buffer_;
};

}  // namespace tamis
