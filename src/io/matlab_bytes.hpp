#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/inflater.hpp"
#include "io/random_access_file.hpp"

/// Where the variables of a MATLAB 5 file lie: a large one is read from there in pieces.
namespace tamis {

/// The bytes of a file: where they are if it is a plain one, else in memory.
class StoredBytes {
 public:
  /// The source must outlive it.
  explicit StoredBytes(ByteSource& source);

  const std::string& name() const { return name_; }
  std::size_t size() const { return size_; }
  /// @throws IoError if the file cannot be read or is not as long any more
  void read(std::size_t offset, std::span<char> out) const;

  /// @throws DataError saying that it is cut off or damaged
  [[noreturn]] void refuse() const;

 private:
  std::string name_;
  std::size_t size_;
  std::unique_ptr<const RandomAccessFile> file_ = nullptr;
  std::string_view bytes_ = {};  // if they are in memory
};

/// A run of stored bytes, or what they are when inflated. Parts are read in any order; going back
/// in what is compressed starts anew.
class VariableBytes {
 public:
  VariableBytes(std::shared_ptr<const StoredBytes> stored, std::size_t begin, std::size_t size,
                bool is_compressed);
  VariableBytes(const VariableBytes&) = delete;
  VariableBytes& operator=(const VariableBytes&) = delete;

  bool is_compressed() const { return is_compressed_; }
  const StoredBytes& stored() const { return *stored_; }
  /// Up to `count` bytes from the start; fewer only if there are no more.
  std::string start(std::size_t count);
  /// Whether so many bytes can lie there, as far as that is known without inflating them.
  bool may_hold(std::size_t count) const { return is_compressed_ || count <= size_; }
  /// @throws DataError if it ends before
  void read(std::size_t offset, std::span<char> out);
  /// Compares the checksum of what is compressed, of which no more than so many bytes may be left.
  /// @throws DataError if it is another one
  void finish(std::size_t most);

 private:
  std::size_t inflate(char* out, std::size_t count);
  void skip(std::size_t count);

  std::shared_ptr<const StoredBytes> stored_;
  std::size_t begin_;
  std::size_t size_;
  bool is_compressed_;
  std::unique_ptr<Inflater> inflater_ = nullptr;
  std::size_t position_ = 0;  // in what is inflated
};

}  // namespace tamis
