#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "io/decompressor.hpp"

namespace tamis {

/// Decompresses what Deflater makes in zlib's wrapper, as it is asked for.
class Inflater {
 public:
  explicit Inflater(CompressedFeed feed);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Moves up to `count` bytes to `out`; fewer only at the end, or where it is damaged.
  std::size_t read(char* out, std::size_t count);
  /// Whether all of it was read, and the checksum is right.
  bool is_at_end() const { return is_at_end_; }

 private:
  struct Stream;

  CompressedFeed feed_;
  std::unique_ptr<Stream> stream_;
  std::vector<char> input_;
  bool is_at_end_ = false;
  bool is_damaged_ = false;
};

}  // namespace tamis
