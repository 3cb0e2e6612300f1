#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

#include "io/stored_text.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// Thrown where a text has other lines than records, so that it must be looked at as a whole. No
/// user sees it.
struct LinesAreNoRecords : std::exception {};

/// Reads a text in its file from start to end, a run of lines at a time, and finds its records, as
/// long as every line is one: no quote occurs, no line may be a comment, and only at the end lines
/// are empty.
class RecordReader {
 public:
  /// @param begin of the first record
  RecordReader(std::shared_ptr<const StoredText> text, std::size_t begin, char delimiter);

  /// Reads on, and appends to `ends` one past the end of each record that is found.
  /// @throws LinesAreNoRecords, and whatever StoredText::read() does
  void read_on(std::vector<std::size_t>& ends);
  bool is_at_end() const { return is_at_end_; }

  /// The records that were found last are in memory, from here on.
  const char* bytes() const { return held_.data(); }
  /// Where that is in the text.
  std::size_t offset() const { return offset_; }
  /// Of what may be looked at behind the records.
  const char* behind() const { return held_.data() + held_.size(); }
  /// How long the text is, as far as can be told by now.
  std::size_t likely_size() const { return text_->likely_size(); }

 private:
  void read_more();
  void find_records(std::vector<std::size_t>& ends);

  std::shared_ptr<const StoredText> text_;
  char delimiter_;
  Buffer<char> held_ = {};
  std::size_t offset_;      // of what is held
  std::size_t size_ = 0;    // of it, without what is put behind
  std::size_t found_ = 0;   // its first bytes, in which records were looked for
  bool is_behind_ = false;  // the last record
  bool is_at_end_ = false;
};

}  // namespace tamis
