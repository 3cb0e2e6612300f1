#pragma once

#include <cstddef>

namespace tamis {

/// Bytes that come one after the other, from wherever.
class ByteStream {
 public:
  ByteStream() = default;
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Moves up to `count` of them to `out`; fewer only at the end.
  /// @throws DataError if they are damaged or cut off
  virtual std::size_t read(char* out, std::size_t count) = 0;
};

}  // namespace tamis
