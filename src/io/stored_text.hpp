#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "io/byte_source.hpp"
#include "io/random_access_file.hpp"

namespace tamis {

/// A text that stays in its file, of which parts are read as they are needed.
class StoredText {
 public:
  StoredText() = default;
  virtual ~StoredText() = default;
  StoredText(const StoredText&) = delete;
  StoredText& operator=(const StoredText&) = delete;

  /// @throws IoError if it cannot be read or is not as long any more, DataError if it is compressed
  /// and damaged
  virtual void read(std::uint64_t offset, std::span<char> out) const = 0;
  /// The same at the end of the text, where it returns how much there is.
  virtual std::size_t read_up_to(std::uint64_t offset, std::span<char> out) const = 0;
  /// How long the text is, as far as can be told by what was read.
  virtual std::size_t likely_size() const = 0;
  /// Whether a part in front of the last one costs as much as all that is before it.
  virtual bool goes_forward() const = 0;
};

/// The text of a source that can be read again.
std::shared_ptr<const StoredText> stored_text(const ByteSource& source);

}  // namespace tamis
