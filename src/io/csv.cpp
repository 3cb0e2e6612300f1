#include "io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>

#include "io/columns.hpp"
#include "io/decimal.hpp"
#include "io/field_ends.hpp"
#include "io/plain_text.hpp"
#include "io/short_decimals.hpp"
#include "io/text_columns.hpp"
#include "io/text_sheet.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kBytesPerPiece = Index{1} << 18;

[[noreturn]] void refuse_field_count(const TextSheet& sheet, Index row) {
  const Index found = count_fields(sheet.records[row], sheet.dialect);
  throw DataError(fmt::format("{}: {} field{} found, {} expected (as in line {})", sheet.place(row),
                              found, found == 1 ? "" : "s", sheet.fields(), sheet.model_line));
}

/// Parses rows of a sheet into a table of T. Remembers the first bad row of each piece of work, so
/// that what is said does not depend on the schedule.
template <std::floating_point T>
class RowParser {
 public:
  RowParser(const TextSheet& sheet, const ColumnRoles& roles, Table& table)
      : sheet_(sheet),
        table_(table),
        has_label_(roles.label.has_value()),
        has_id_(roles.id.has_value()),
        targets_(static_cast<std::size_t>(sheet.columns()), kDropped),
        run_lengths_(targets_.size()),
        data_(table.data.emplace<DenseTable<T>>()) {
    data_.cols = std::ssize(roles.features);
    for (Index r = 0; r < data_.cols; ++r) targets_[roles.features[r]] = r;
    if (roles.label) targets_[*roles.label] = kLabel;
    if (roles.id) targets_[*roles.id] = kId;
    table.other_labels.clear();
    for (const Index c : roles.other_labels) {
      targets_[c] = kFirstOther - std::ssize(table.other_labels);
      table.other_labels.push_back({sheet.names[c], {}});
    }
    for (Index c = sheet.columns() - 1; c >= 0; --c) {
      const bool goes_on = c + 1 < sheet.columns() && targets_[c + 1] == targets_[c] + 1;
      run_lengths_[c] = goes_on ? run_lengths_[c + 1] + 1 : 1;
    }
    has_truths_.resize(static_cast<std::size_t>(data_.cols), 0);
  }

  /// The first row that is not as it should be, if any. The rows are found on the way.
  std::optional<Index> parse() {
    const RecordList& records = sheet_.records;
    Buffer<char> held;
    for (Index first = 0; records.has(first);) {
      const Index last = records.behind_run(first);
      make_room(last);
      if (const auto bad_row = parse_run(first, last, records.run(first, held))) return bad_row;
      first = last;
    }
    return std::nullopt;
  }

  /// The features that hold true or false.
  std::vector<Index> truths() const {
    std::vector<Index> features;
    for (Index r = 0; r < std::ssize(has_truths_); ++r)
      if (has_truths_[r] != 0) features.push_back(r);
    return features;
  }

 private:
  static constexpr Index kDropped = -1;
  static constexpr Index kLabel = -2;
  static constexpr Index kId = -3;
  static constexpr Index kFirstOther = -4;  // and below: further labels

  struct Scratch {
    explicit Scratch(Index fields) : ends(fields) {}
    FieldEnds ends;
    std::string text = {};
  };

  /// Room that is made for more rows than there are is not touched, and takes no memory. What the
  /// first rows promise of the others is soon known better: then few must be moved.
  void make_room(Index rows) {
    const auto values = [&](Index count) { return static_cast<std::size_t>(count * data_.cols); };
    const Index likely = sheet_.records.likely_size();
    const Index needed = rows < likely / 8 ? likely : rows;
    if (values(needed) > data_.values.capacity())
      data_.values.reserve(values(likely > rows ? likely + likely / 4 : rows));
    data_.rows = rows;
    data_.values.resize(values(rows));
    const auto count = static_cast<std::size_t>(rows);
    if (has_label_) table_.label_texts.resize(count);
    if (has_id_) table_.sample_ids.resize(count);
    for (LabelColumn& other : table_.other_labels) other.texts.resize(count);
  }

  /// @param run the records, if they are in memory
  std::optional<Index> parse_run(Index first, Index last,
                                 const std::optional<RecordList::Piece>& run) {
    const Index bytes_per_row = sheet_.records.bytes(first, last) / (last - first) + 1;
    const Index grain = std::max<Index>(1, kBytesPerPiece / bytes_per_row);
    std::vector<Index> bad_rows(static_cast<std::size_t>((last - first + grain - 1) / grain), -1);
    parallel_for(last - first, grain, [&](Index begin, Index end) {
      Scratch scratch(sheet_.fields());
      Buffer<char> held;
      const RecordList::Piece records =
          run ? *run : sheet_.records.piece(first + begin, first + end, held);
      for (Index i = first + begin; i < first + end; ++i)
        if (!parse_row(i, records, scratch)) {
          bad_rows[begin / grain] = i;
          return;
        }
    });
    const auto bad = std::ranges::find_if(bad_rows, [](Index row) { return row >= 0; });
    return bad == bad_rows.end() ? std::nullopt : std::optional(*bad);
  }

  bool parse_row(Index row, const RecordList::Piece& records, Scratch& scratch) {
    const std::string_view record = records[row];
    const Dialect& dialect = sheet_.dialect;
    const bool has_quotes = dialect.has_quotes && record.find('"') != std::string_view::npos;
    const bool is_simple = !has_quotes && !dialect.separates_by_blanks() &&
                           records.end() - record.data() >= std::ssize(record) + kShortDecimalReach;
    return is_simple ? parse_simple_row(row, record, records.end(), scratch)
                     : parse_any_row(row, record, records.end(), scratch.text);
  }

  /// A row without quotes, behind which enough of the text is in memory.
  bool parse_simple_row(Index row, std::string_view record, const char* text_end,
                        Scratch& scratch) {
    const FieldEnds& ends = scratch.ends;
    if (!scratch.ends.find(record, text_end, sheet_.dialect.delimiter)) return false;
    const Index columns = sheet_.columns();
    if (sheet_.has_empty_last && ends[columns] != ends[columns - 1] + 1) return false;
    T* const out = data_.values.data() + row * data_.cols;
    for (Index c = 0; c < columns;) {
      c += read_numbers(record, ends, c, out);
      for (const Index behind = std::min(c + kDecimalsAtOnce, columns); c < behind; ++c)
        if (!read_field(record, ends, c, text_end, row, out, scratch.text)) return false;
    }
    return true;
  }

  /// Reads several features from a column on at once, as far as their cells are short numbers.
  /// Returns how many.
  Index read_numbers(std::string_view record, const FieldEnds& ends, Index column, T* out) const {
    const Index target = targets_[column];
    if (target < 0 || !is_plain_) return 0;
    return read_short_decimals(record.data(), ends.from(column), run_lengths_[column],
                               out + target);
  }

  bool read_field(std::string_view record, const FieldEnds& ends, Index column,
                  const char* text_end, Index row, T* out, std::string& scratch) {
    const char* start = record.data() + ends[column - 1] + 1;
    const char* const stop = record.data() + ends[column];
    const Index target = targets_[column];
    if (target >= 0 && is_plain_ && read_number(start, stop, text_end, out[target])) return true;
    return take(next_field(start, stop, sheet_.dialect, scratch), row, target, out);
  }

  /// A number that fills start .. stop - 1, as nearly every cell is.
  static bool read_number(const char* start, const char* stop, const char* text_end, T& value) {
    if (read_short_decimal(start, stop, value)) [[likely]]
      return true;
    if (read_decimal(start, text_end, value) == stop) return true;
    const auto [end, code] = std::from_chars(start, stop, value);
    return code == std::errc{} && end == stop;
  }

  bool parse_any_row(Index row, std::string_view record, const char* text_end,
                     std::string& scratch) {
    const char* position = record.data();
    const char* const end = position + record.size();
    T* const out = data_.values.data() + row * data_.cols;
    const Index last = sheet_.columns() - 1;
    for (Index c = 0;; ++c) {
      if (!read_cell(position, end, text_end, row, targets_[c], out, scratch)) return false;
      if (c == last) return position + (sheet_.has_empty_last ? 1 : 0) == end;
      if (position == end) return false;
      skip_delimiter(position, end, sheet_.dialect);
    }
  }

  /// Reads the cell at `position` and moves to its end.
  bool read_cell(const char*& position, const char* end, const char* text_end, Index row,
                 Index target, T* out, std::string& scratch) {
    if (target >= 0 && is_plain_) {
      // Many cells are bare numbers: read them without looking for their ends first.
      const char* stop = read_decimal(position, text_end, out[target]);
      if (stop == nullptr || stop > end) {
        const auto [general_stop, code] = std::from_chars(position, end, out[target]);
        stop = code == std::errc{} ? general_stop : nullptr;
      }
      if (stop != nullptr && (stop == end || *stop == sheet_.dialect.delimiter)) [[likely]] {
        position = stop;
        return true;
      }
    }
    return take(next_field(position, end, sheet_.dialect, scratch), row, target, out);
  }

  bool take(std::string_view text, Index row, Index target, T* out) {
    if (target >= 0) return read_text(text, target, out[target]);
    if (target == kLabel) table_.label_texts[row] = text;
    if (target == kId) table_.sample_ids[row] = text;
    if (target <= kFirstOther) table_.other_labels[kFirstOther - target].texts[row] = text;
    return true;
  }

  bool read_text(std::string_view text, Index target, T& value) {
    if (!parse_cell(text, sheet_.style, value)) return false;
    if (truth_of(text)) std::atomic_ref(has_truths_[target]).store(1, std::memory_order_relaxed);
    return true;
  }

  const TextSheet& sheet_;
  Table& table_;
  const bool is_plain_ = sheet_.style.is_plain();
  const bool has_label_;
  const bool has_id_;
  std::vector<Index> targets_;      // the table's column of each of the file's, or a negative mark
  std::vector<Index> run_lengths_;  // of features beside each other in file and table, from each on
  DenseTable<T>& data_;
  std::vector<unsigned char> has_truths_ = {};  // of each feature
};

void note_style(TextSheet& sheet, const StyleVotes& votes) {
  const std::string example = votes.example();
  double value = 0.0;
  parse_cell(example, sheet.style, value);
  sheet.notes.push_back(
      {fmt::format("{}: {} is read as {}",
                   sheet.style.decimal == ',' ? "a comma is taken as the decimal sign"
                                              : "thousands are taken to be set apart",
                   shown(example), value),
       {Remedy::Action::say_decimal}});
}

/// Cells that are no plain numbers: finds the style that reads them, and sets columns of text apart
/// that are to be encoded.
/// @throws DataError if there is no style, naming the columns that hold text
void find_style(TextSheet& sheet, ColumnRoles& roles, const ReadOptions& options) {
  if (!options.decimal) {
    const StyleVotes votes = style_votes(sheet, roles.features);
    if (const auto cell = votes.undecided())
      throw DataError(fmt::format("{}: whether the comma of {} is a decimal sign or sets thousands "
                                  "apart cannot be told",
                                  sheet.file, shown(*cell)),
                      {Remedy::Action::say_decimal});
    sheet.style = votes.winner();
    if (!sheet.style.is_plain()) note_style(sheet, votes);
  }
  set_texts_apart(sheet, options.encode, roles);
}

template <std::floating_point T>
void parse_rows(TextSheet& sheet, ColumnRoles& roles, const ReadOptions& options, Table& table) {
  const auto is_ragged = [&](std::optional<Index> row) {
    return row && count_fields(sheet.records[*row], sheet.dialect) != sheet.fields();
  };
  std::optional<Index> bad_row;
  do {
    RowParser<T> parser(sheet, roles, table);
    bad_row = parser.parse();
    if (bad_row) sheet.records.find_all();  // or a quote behind it may tell another story
    if (is_ragged(bad_row)) refuse_field_count(sheet, *bad_row);
    if (bad_row)
      find_style(sheet, roles, options);
    else
      note_truths(sheet, roles, parser.truths());
  } while (bad_row);
}

}  // namespace

bool looks_like_tsv(ByteSource& source) {
  std::string recoded;
  std::string_view text = source.peek(kDialectBytes + 1);
  if (text.size() <= kDialectBytes || !is_plain_start(text)) text = plain_text(source, recoded);
  return detect_delimiter(trim_text(source.name(), text), kTableDelimiters) == '\t';
}

void TextSheet::parse(ColumnRoles& roles, const ReadOptions& options, Table& table) {
  if (options.precision == Precision::single)
    parse_rows<float>(*this, roles, options, table);
  else
    parse_rows<double>(*this, roles, options, table);
}

Table read_csv(ByteSource& source, const ReadOptions& options) {
  const auto read = [&](KeepText kept) {
    TextSheet sheet;
    open_sheet(source, options, sheet, kept);
    return table_of(sheet, options);
  };
  try {
    return read(KeepText::in_file);
  } catch (const LinesAreNoRecords&) {
    return read(KeepText::in_memory);
  }
}

}  // namespace tamis
