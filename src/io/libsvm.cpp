#include "io/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

/// Cuts the next line off the text, without what follows a #.
std::string_view take_entries(std::string_view& text) {
  const std::string_view line = take_line(text);
  return line.substr(0, line.find('#'));
}

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
  Parser(const std::string& file, std::string_view text, bool is_trusted)
      : file_(file),
        text_(text),
        size_(text.size()),
        most_columns_(most_sparse_lines(text.size(), is_trusted)) {}

  CsrTable<double> data;
  std::vector<std::string> labels;

  void parse() {
    while (!text_.empty()) {
      ++line_number_;
      std::string_view line = take_entries(text_);
      std::string_view word = take_word(line);
      if (word.empty()) continue;
      labels.emplace_back(is_entry(word) ? std::string_view{} : word);
      if (!is_entry(word)) word = take_word(line);
      last_index_ = 0;
      for (; !word.empty(); word = take_word(line)) add_entry(word);
      data.offsets.push_back(std::ssize(data.values));
    }
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(fmt::format_string<Parts...> message, Parts&&... parts) const {
    throw DataError(fmt::format("{}:{}: {}", file_, line_number_,
                                fmt::format(message, std::forward<Parts>(parts)...)));
  }

  [[noreturn]] void refuse_columns(Index index) const {
    throw DataError(fmt::format("{}:{}: index {} makes a table of as many columns out of {} bytes",
                                file_, line_number_, index, size_),
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
      refuse("{} is not index:value", shown(word));
    if (code != std::errc{} || index > kLargestIndex)
      refuse("index {} is larger than {}", shown(word.substr(0, colon)), kLargestIndex);
    if (index > most_columns_) refuse_columns(index);
    if (index < 1) refuse("index {}: indices count from 1", index);
    if (index <= last_index_)
      refuse("index {} follows index {}: indices must ascend within a line", index, last_index_);
    last_index_ = index;
    data.cols = std::max(data.cols, index);
    if (value == 0.0) return;
    data.columns.push_back(static_cast<ColumnIndex>(index - 1));
    data.values.push_back(value);
  }

  const std::string& file_;
  std::string_view text_;
  std::size_t size_;
  Index most_columns_;
  Index line_number_ = 0;
  Index last_index_ = 0;
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
    std::string_view line = take_entries(text);
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
  const std::string_view text = trim_text(source.name(), source.rest());
  Parser parser(source.name(), text, options.is_trusted);
  parser.parse();
  if (parser.labels.empty()) throw DataError(fmt::format("{}: holds no rows", source.name()));
  if (parser.data.cols == 0)
    throw DataError(fmt::format("{}: no row has an index:value entry", source.name()));
  Table table;
  table.feature_names = numbered_names(parser.data.cols);
  table.data = std::move(parser.data);
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
