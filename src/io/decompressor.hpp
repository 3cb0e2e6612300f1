#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "io/byte_stream.hpp"

namespace tamis {

/// Moves up to `count` compressed bytes to `out`; fewer only at their end.
using CompressedFeed = std::function<std::size_t(char* out, std::size_t count)>;

/// A way to compress bytes, other than gzip.
struct Compression {
  std::string_view name;  ///< for people, within a sentence
  std::string_view tool;  ///< the command that makes a plain file of one, and keeps it
  bool (*begins)(
      std::string_view content);  ///< whether these bytes are the first of compressed ones
  /// The content, made as it is asked for. Whatever the bytes ask for, that takes no more memory
  /// than 256 MiB.
  std::unique_ptr<ByteStream> (*open)(std::string_view file, CompressedFeed feed);
};

/// The compression of a file that begins so, or nullptr.
const Compression* compression_of(std::string_view start);
/// So many bytes suffice to know it.
inline constexpr std::size_t kLongestCompressionMagic = 10;

}  // namespace tamis
