#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"
#include "io/dialect.hpp"
#include "io/sheet.hpp"
#include "tamis/io/open.hpp"

namespace tamis {

/// Where the records of a text lie. Few texts have lines between them that are none.
class RecordList {
 public:
  RecordList() = default;
  /// @param starts of the records, plus one past the end of the last
  RecordList(std::vector<const char*> starts, Dialect dialect)
      : starts_(std::move(starts)), dialect_(dialect) {}

  Index size() const { return std::ssize(starts_) - 1; }
  const char* start(Index i) const { return starts_[i]; }
  std::string_view operator[](Index i) const {
    return record_between(starts_[i], ends_.empty() ? starts_[i + 1] : ends_[i], dialect_);
  }
  Index bytes() const { return starts_.back() - starts_.front(); }

  void drop_first() {
    starts_.erase(starts_.begin());
    if (!ends_.empty()) ends_.erase(ends_.begin());
  }
  /// Drops the records whose entry is set.
  void drop(const std::vector<bool>& is_dropped);

 private:
  std::vector<const char*> starts_ = {};
  std::vector<const char*> ends_ = {};  // one past those of the records; empty: they touch
  Dialect dialect_ = {};
};

/// A text cut into records, and what its first one says.
struct TextSheet final : Sheet {
  std::string recoded = {};  ///< the text, if it is not the source's own
  std::string_view text = {};
  Dialect dialect = {};
  RecordList records = {};      ///< of data
  Index model_line = 1;         ///< that has as many fields as every record should
  bool has_empty_last = false;  ///< every record ends with a delimiter: no column follows it

  Index rows() const override { return records.size(); }
  /// Of a record.
  Index fields() const { return columns() + (has_empty_last ? 1 : 0); }
  Index line(Index row) const override { return line_of(text, records.start(row)); }
  std::vector<std::string> cells(Index row) const override {
    return split_record(records[row], dialect);
  }
  void visit(const std::vector<Index>& wanted, const Visit& visit) const override;
  void parse(ColumnRoles& roles, const ReadOptions& options, Table& table) override;
  std::optional<std::vector<std::string>> texts_of_feature(Index column) const override;
};

/// Reads the text of a source into a sheet: its separator, comments, header and names. Looks at the
/// first records only, and at the first and last characters of all.
/// @throws DataError if there is no text, or no row
void open_sheet(ByteSource& source, const ReadOptions& options, TextSheet& sheet);

}  // namespace tamis
