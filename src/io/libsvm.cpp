#include "io/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/blocks.hpp"
#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/expansion.hpp"
#include "io/table_rows.hpp"
#include "io/text_sink.hpp"
#include "io/words.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kBytesToRecognise = std::size_t{1} << 16;
// A name is kept for every column, so an index typed wrong must not cost all memory, trusted or
// not.
constexpr Index kLargestIndex = 100'000'000;

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

bool is_entry(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view index = word.substr(0, colon);
  return index == "qid" || index.find_first_not_of("0123456789") == std::string_view::npos;
}

/// As is_entry, with a value that is a number: `12:30,5` is a time of day in some other format.
bool is_numeric_entry(std::string_view word) {
  return is_entry(word) && is_number_or_missing(word.substr(word.find(':') + 1));
}

class Parser {
 public:
  Parser(ByteSource& source, bool is_trusted)
      : lines_(source), most_columns_(most_sparse_lines(lines_.bytes(), is_trusted)) {}

  std::vector<std::string> labels;

  CsrTable<double> parse() {
    while (!lines_.is_at_end()) {
      std::string_view line = without_comment(lines_.take());
      std::string_view word = take_word(line);
      if (word.empty()) continue;
      labels.emplace_back(is_entry(word) ? std::string_view{} : word);
      if (!is_entry(word)) word = take_word(line);
      last_index_ = 0;
      for (; !word.empty(); word = take_word(line)) add_entry(word);
      data_.offsets.push_back(static_cast<Index>(values_.size()));
    }
    data_.columns = std::move(columns_).joined();
    data_.values = std::move(values_).joined();
    return std::move(data_);
  }

 private:
  [[noreturn]] void refuse_columns(Index index) const {
    throw DataError(fmt::format("{}:{}: index {} makes a table of as many columns out of {} bytes",
                                lines_.file(), lines_.number(), index, lines_.bytes()),
                    {Remedy::Action::trust_file});
  }

  void add_entry(std::string_view word) {
    const std::size_t colon = word.find(':');
    if (word.substr(0, colon) == "qid") return;
    Index index = 0;
    double value = 0.0;
    const char* const index_end = word.data() + std::min(colon, word.size());
    const auto [stop, code] = std::from_chars(word.data(), index_end, index);
    if (colon == std::string_view::npos || stop != index_end || stop == word.data() ||
        !parse_number(word.substr(colon + 1), value))
      lines_.refuse("{} is not index:value", shown(word));
    if (code != std::errc{} || index > kLargestIndex)
      lines_.refuse("index {} is larger than {}", shown(word.substr(0, colon)), kLargestIndex);
    if (index > most_columns_) refuse_columns(index);
    if (index < 1) lines_.refuse("index {}: indices count from 1", index);
    if (index <= last_index_)
      lines_.refuse("index {} follows index {}: indices must ascend within a line", index,
                    last_index_);
    last_index_ = index;
    data_.cols = std::max(data_.cols, index);
    if (value == 0.0) return;
    columns_.push_back(static_cast<ColumnIndex>(index - 1));
    values_.push_back(value);
  }

  NumberedLines lines_;
  Index most_columns_;
  Index last_index_ = 0;
  CsrTable<double> data_ = {};
  Blocks<ColumnIndex> columns_ = {};
  Blocks<double> values_ = {};
};

void check_label(const std::string& path, const std::string& label) {
  if (label.find_first_of(" \t\r\n#:") != std::string::npos)
    throw DataError(
        fmt::format("{}: the label {} has a blank, # or colon, which LIBSVM text cannot hold; "
                    "write CSV instead",
                    path, shown(label)));
}

/// Whether the last of the chosen columns is zero in every row.
bool last_column_is_empty(const Table& table, std::span<const Index> columns) {
  if (columns.empty()) return false;
  return table.view().visit([&](const auto& view) {
    auto rows = gather_rows(view, columns.last(1));
    for (Index i = 0; i < view.rows(); ++i)
      if (rows.row(i).front() != 0) return false;
    return true;
  });
}

/// Whether the first line that is no comment reads `[label] index:value ...`.
bool starts_with_entries(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = without_comment(take_line(text));
    std::string_view word = take_word(line);
    if (word.empty()) continue;
    if (!is_entry(word)) word = take_word(line);
    int entries = 0;  // the last word of a text that is cut somewhere proves nothing
    for (; !word.empty(); word = take_word(line), ++entries)
      if (!is_numeric_entry(word)) return text.empty() && line.empty() && entries > 0;
    return entries > 0;
  }
  return false;
}

}  // namespace

bool looks_like_libsvm(ByteSource& source) {
  const std::string_view start = source.peek(kBytesToRecognise);
  if (starts_with_entries(start)) return true;
  // A first row that is all zero is a lone label: only the extension tells.
  return start.find_first_of(",;\t") == std::string_view::npos &&
         format_of_extension(source.path()) == Format::libsvm;
}

Table read_libsvm(ByteSource& source, const ReadOptions& options) {
  Parser parser(source, options.is_trusted);
  CsrTable<double> data = parser.parse();
  if (parser.labels.empty()) throw DataError(fmt::format("{}: holds no rows", source.name()));
  if (data.cols == 0)
    throw DataError(fmt::format("{}: no row has an index:value entry", source.name()));
  Table table;
  table.feature_names = numbered_names(data.cols);
  table.data = std::move(data);
  const bool has_labels =
      std::ranges::any_of(parser.labels, [](const auto& l) { return !l.empty(); });
  if (has_labels) table.label_texts = std::move(parser.labels);
  apply_options(source.name(), table, options);
  return table;
}

void write_libsvm(const std::string& path, const Table& table, std::span<const Index> columns) {
  TextSink sink(path);
  const bool needs_mark = last_column_is_empty(table, columns);
  table.view().visit([&](const auto& view) {
    auto rows = gather_rows(view, columns);
    for (Index i = 0; i < view.rows(); ++i) {
      const std::string label = table.label_texts.empty() ? "" : table.label_texts[i];
      check_label(path, label);
      sink.append(label);
      bool is_blank = label.empty();
      const auto entry = [&](Index r, auto value) {
        sink.append(fmt::format("{}{}:", is_blank ? "" : " ", r + 1));
        sink.append_number(value);
        is_blank = false;
      };
      const auto row = rows.row(i);
      for (Index r = 0; r < std::ssize(row); ++r)
        if (row[r] != 0) entry(r, row[r]);
      if (needs_mark && i == 0)
        entry(std::ssize(row) - 1, row.back());
      else if (is_blank)
        entry(0, row.front());
      sink.append("\n");
    }
  });
  sink.commit();
}

}  // namespace tamis
