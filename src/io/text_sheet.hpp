#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"
#include "io/dialect.hpp"
#include "io/record_reader.hpp"
#include "io/sheet.hpp"
#include "io/stored_text.hpp"
#include "tamis/core/buffer.hpp"
#include "tamis/io/open.hpp"

namespace tamis {

/// The records of a text that is in memory, or in its file, of which pieces are read as needed.
/// Few texts have lines between them that are none. Those in a file are looked for only as far as
/// someone asks for them, so that who asks for one after the other reads the file once.
class RecordList {
 public:
  RecordList() = default;
  /// @param starts of the records, plus one past the end of the last
  RecordList(std::string_view text, std::vector<std::size_t> starts, Dialect dialect)
      : text_(text), starts_(std::move(starts)), dialect_(dialect) {}
  /// Each line of a file that can be read again is one. @param begin of the first
  RecordList(const ByteSource& source, std::size_t begin, Dialect dialect)
      : file_(stored_text(source)),
        reader_(std::make_unique<RecordReader>(stored_text(source), begin, dialect.delimiter)),
        starts_({begin}),
        dialect_(dialect) {}

  /// Whether there is a record i. Looks for it if need be, and then
  /// @throws LinesAreNoRecords if a line is none; so do find_all() and size()
  bool has(Index i) const;
  void find_all() const;
  Index size() const {
    find_all();
    return found();
  }
  /// How many there are, as far as can be told by those that were found.
  Index likely_size() const;
  std::size_t start(Index i) const { return starts_[i]; }
  std::string operator[](Index i) const;
  /// Of records first .. last - 1.
  Index bytes(Index first, Index last) const {
    return static_cast<Index>(starts_[last] - starts_[first]);
  }
  /// Whether each line of the file is a record.
  bool is_in_file() const { return file_ != nullptr; }
  /// How many were dropped at the start.
  Index dropped_first() const { return dropped_first_; }

  /// Successive records in memory.
  class Piece {
   public:
    Piece(const RecordList& list, const char* bytes, std::size_t offset, const char* end)
        : list_(list), bytes_(bytes), offset_(offset), end_(end) {}
    /// Record i of the list.
    std::string_view operator[](Index i) const {
      return record_between(bytes_ + (list_.starts_[i] - offset_),
                            bytes_ + (list_.end(i) - offset_), list_.dialect_);
    }
    /// Of what may be read behind the records.
    const char* end() const { return end_; }

   private:
    const RecordList& list_;
    const char* bytes_;
    std::size_t offset_;  // of the bytes in the text
    const char* end_;
  };
  /// Records first .. last - 1, which may come to lie in `held`.
  Piece piece(Index first, Index last, Buffer<char>& held) const;
  /// One past the last of those from the first on that are best read together: as far as they are
  /// in memory or the file is read forward, else as far as they are found.
  Index behind_run(Index first) const;
  /// These records, unless their pieces are best read one by one, in any order.
  std::optional<Piece> run(Index first, Buffer<char>& held) const;
  /// Calls visit(i, record) for each until it returns false.
  template <class Visit>
  void each(const Visit& visit) const;

  void drop_first() {
    starts_.erase(starts_.begin());
    if (!ends_.empty()) ends_.erase(ends_.begin());
    ++dropped_first_;
  }
  /// Drops the records whose entry is set.
  void drop(const std::vector<bool>& is_dropped);

 private:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
  static constexpr std::size_t kRunBytes = std::size_t{1} << 22;

  /// One past the last record that begins within so many bytes behind the first one.
  Index behind(Index first, std::size_t bytes) const;

  /// One past the end of a record.
  std::size_t end(Index i) const { return ends_.empty() ? starts_[i + 1] : ends_[i]; }
  /// How many were found.
  Index found() const { return std::ssize(starts_) - 1; }
  bool may_have_more() const { return reader_ != nullptr && !reader_->is_at_end(); }
  /// Whether record i is in the memory of the reader.
  bool is_at_hand(Index i) const { return reader_ != nullptr && starts_[i] >= reader_->offset(); }

  std::string_view text_ = {};
  std::shared_ptr<const StoredText> file_ = nullptr;
  std::unique_ptr<RecordReader> reader_ = nullptr;
  mutable std::vector<std::size_t> starts_ = {};
  std::vector<std::size_t> ends_ = {};  // one past those of the records; empty: they touch
  Index dropped_first_ = 0;
  Dialect dialect_ = {};
};

template <class Visit>
void RecordList::each(const Visit& visit) const {
  Buffer<char> held;
  for (Index first = 0; has(first);) {
    const Index last = behind(first, kPieceBytes);
    const Piece records = piece(first, last, held);
    for (; first < last; ++first)
      if (!visit(first, records[first])) return;
  }
}

/// A text cut into records, and what its first one says.
struct TextSheet final : Sheet {
  std::string recoded = {};    ///< the text, if it is not the source's own
  std::string_view text = {};  ///< empty if it stays in its file
  Dialect dialect = {};
  RecordList records = {};      ///< of data
  Index lines_added = 0;        ///< at the start of the text, which the file does not have
  Index model_line = 1;         ///< that has as many fields as every record should
  bool has_empty_last = false;  ///< every record ends with a delimiter: no column follows it

  Index rows() const override { return records.size(); }
  /// Of a record.
  Index fields() const { return columns() + (has_empty_last ? 1 : 0); }
  Index line(Index row) const override;
  std::vector<std::string> cells(Index row) const override {
    return split_record(records[row], dialect);
  }
  void visit(const std::vector<Index>& wanted, const Visit& visit) const override;
  void parse(ColumnRoles& roles, const ReadOptions& options, Table& table) override;
  std::optional<std::vector<std::string>> texts_of_feature(Index column) const override;
};

/// Reads the text of a source into a sheet: its separator, comments, header and names. Looks at the
/// first records only, and at the first and last characters of all.
/// A text in a file stays there if it is large and lines are records; LinesAreNoRecords, which may
/// be thrown as long as not all of them are found, says that it must be held.
/// @throws DataError if there is no text, or no row
enum class KeepText { in_file, in_memory };
void open_sheet(ByteSource& source, const ReadOptions& options, TextSheet& sheet,
                KeepText kept = KeepText::in_file);

}  // namespace tamis
