#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// Bytes that were made from those of a file, and how messages call that.
struct BytesInMemory {
  std::string name;
  std::string bytes;
  Index lines_added = 0;  ///< at the start, which the file does not have
};

/// The bytes of a file or of standard input ("-"). What is compressed by gzip, zstd, bzip2 or xz,
/// or is the only file in a ZIP archive, is decompressed on the way. All of it is read, not mapped:
/// a file that is cut meanwhile is an error, not a signal.
class ByteSource {
 public:
  /// @param is_trusted whether it may become any size when it is decompressed (expansion.hpp)
  /// @throws IoError naming the path and the reason; a directory is refused; DataError if it is
  /// compressed and damaged
  explicit ByteSource(const std::string& path, bool is_trusted = false);
  explicit ByteSource(BytesInMemory content);
  /// @param size how many bytes the stream says it has; it may end before
  ByteSource(std::string name, std::unique_ptr<ByteStream> stream, std::size_t size);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  const std::string& path() const { return path_; }
  /// How messages call it: the path, or "standard input".
  const std::string& name() const { return name_; }

  /// The next `count` bytes, or fewer at the end, without consuming them. Valid until the next call
  /// that asks for more.
  /// @throws IoError if it cannot be read or became shorter, DataError if it is compressed and
  /// damaged or becomes too much; so do the next ones
  std::string_view peek(std::size_t count);
  bool starts_with(std::string_view bytes) { return peek(bytes.size()) == bytes; }
  /// Everything that is left, not consumed.
  std::string_view rest();
  /// Moves up to `count` bytes to `out`, past the buffer if none was peeked; fewer only at the end.
  std::size_t read(char* out, std::size_t count);

  /// How many bytes are left, if that is known: of a plain file or a stream that says so, or once
  /// all is in memory.
  std::optional<std::size_t> remaining() const;
  /// How many bytes there are from start to end: what is compressed is taken to be so throughout as
  /// what was read.
  std::size_t likely_size() const;
  /// Lines at the start that the file does not have.
  Index lines_added() const { return lines_added_; }
  /// Whether the file at path() holds these very bytes: neither compressed nor a stream.
  bool is_plain_file() const;
  /// Whether another source of path() has the same bytes: of a file, compressed perhaps.
  bool can_be_read_again() const;
  bool is_trusted() const { return is_trusted_; }

 private:
  struct Free {
    void operator()(char* pointer) const { std::free(pointer); }
  };

  struct CloseFile {
    void operator()(void* file) const;
  };

  void open();
  void decompress(const std::string& start);
  void unpack();
  void hold(std::string content);
  bool is_compressed() const;
  void reserve(std::size_t capacity);
  std::size_t fetch(char* out, std::size_t count);
  std::size_t read_file(char* out, std::size_t count);
  void check_end() const;

  std::string path_;
  std::string name_;
  bool is_trusted_ = false;
  std::unique_ptr<void, CloseFile> file_ = nullptr;        // zlib's gzFile
  std::unique_ptr<ByteStream> stream_ = nullptr;           // what is made of it
  std::optional<std::size_t> stored_size_ = std::nullopt;  // of a regular file
  std::optional<std::size_t> file_size_ = std::nullopt;    // the same, if we are at its start
  std::size_t largest_content_ = 0;                        // if it is compressed
  std::size_t fetched_ = 0;
  bool at_end_ = false;
  Index lines_added_ = 0;
  std::string content_ = {};  // in place of the buffer
  std::unique_ptr<char, Free> buffer_;
  std::size_t capacity_ = 0;
  const char* bytes_ = nullptr;  // of the content or the buffer
  std::size_t begin_ = 0;        // of the bytes in the buffer that are not consumed
  std::size_t end_ = 0;
};

}  // namespace tamis
