// The format: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats" (NISTIR 5935, 1996).
#include "io/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/columns.hpp"
#include "io/delimited.hpp"
#include "io/expansion.hpp"
#include "io/sparse_rows.hpp"
#include "io/table_rows.hpp"
#include "io/text_sink.hpp"
#include "io/words.hpp"

namespace tamis {
namespace {

constexpr std::string_view kBanner = "%%MatrixMarket";

enum class Symmetry { general, symmetric, skew };

struct Header {
  bool is_array = false;
  bool is_pattern = false;
  Symmetry symmetry = Symmetry::general;
  Index rows = 0;
  Index cols = 0;
  Index entries = 0;  ///< lines of them
};

Index take_index(const NumberedLines& lines, std::string_view& line) {
  const std::string_view word = take_word(line);
  Index number = 0;
  const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || code != std::errc{} || stop != word.data() + word.size() || number < 0)
    lines.refuse("{} is not a whole number", shown(word));
  return number;
}

double take_number(const NumberedLines& lines, std::string_view& line) {
  const std::string_view word = take_word(line);
  double value = 0.0;
  if (word.empty() || !parse_number(word, value)) lines.refuse("{} is not a number", shown(word));
  return value;
}

void parse_banner(NumberedLines& lines, Header& header) {
  const std::string words = lower_case(lines.take());
  std::string_view line = words;
  take_word(line);
  const std::string_view object = take_word(line);
  const std::string_view layout = take_word(line);
  const std::string_view field = take_word(line);
  const std::string_view symmetry = take_word(line);
  if (object != "matrix" || (layout != "coordinate" && layout != "array"))
    lines.refuse("{} is neither a matrix of coordinates nor an array",
                 shown(fmt::format("{} {}", object, layout)));
  header.is_array = layout == "array";
  header.is_pattern = field == "pattern" && !header.is_array;
  if (field != "real" && field != "double" && field != "integer" && !header.is_pattern)
    lines.refuse("entries are {}; real, integer and, as coordinates, pattern are read",
                 shown(field));
  if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
    lines.refuse("the symmetry is {}; general, symmetric and skew-symmetric are read",
                 shown(symmetry));
  header.symmetry = symmetry == "general"     ? Symmetry::general
                    : symmetry == "symmetric" ? Symmetry::symmetric
                                              : Symmetry::skew;
}

/// The entries that an array of this shape has in its file.
Index array_entries(const Header& header) {
  const Index n = header.rows;
  if (header.symmetry == Symmetry::general) return n * header.cols;
  return header.symmetry == Symmetry::symmetric ? n * (n + 1) / 2 : n * (n - 1) / 2;
}

Header parse_header(NumberedLines& lines, bool is_trusted) {
  const std::size_t bytes = lines.bytes();
  Header header;
  parse_banner(lines, header);
  std::string_view line = lines.take_content();
  header.rows = take_index(lines, line);
  header.cols = take_index(lines, line);
  if (!header.is_array) header.entries = take_index(lines, line);
  if (!take_word(line).empty()) lines.refuse("more numbers than the size of a matrix has");
  if (header.rows == 0 || header.cols == 0)
    lines.refuse("a matrix of {} x {} is empty", header.rows, header.cols);
  if (header.symmetry != Symmetry::general && header.rows != header.cols)
    lines.refuse("a symmetric matrix of {} x {} is impossible", header.rows, header.cols);
  // The entries of an array fill it, and are counted below.
  check_sparse_shape(lines.file(), header.rows, header.cols, bytes, is_trusted || header.is_array);
  if (header.is_array) header.entries = array_entries(header);
  // An entry takes a digit and a line end at least.
  if (header.entries > static_cast<Index>(bytes / 2 + 1))
    lines.refuse("{} entries are promised, more than {} bytes can hold", header.entries, bytes);
  return header;
}

/// Calls put(row, column, value) for every entry, those that symmetry implies included.
template <class Put>
void each_coordinate(NumberedLines& lines, const Header& header, const Put& put) {
  for (Index e = 0; e < header.entries; ++e) {
    std::string_view line = lines.take_content();
    if (line.empty()) lines.refuse("{} entries are promised, {} found", header.entries, e);
    const Index row = take_index(lines, line);
    const Index column = take_index(lines, line);
    if (row < 1 || row > header.rows || column < 1 || column > header.cols)
      lines.refuse("entry {} {} is outside of {} x {}; rows and columns count from 1", row, column,
                   header.rows, header.cols);
    const double value = header.is_pattern ? 1.0 : take_number(lines, line);
    if (!take_word(line).empty()) lines.refuse("more than one entry");
    put(row - 1, column - 1, value);
    if (header.symmetry != Symmetry::general && row != column)
      put(column - 1, row - 1, header.symmetry == Symmetry::skew ? -value : value);
  }
  if (!lines.take_content().empty())
    lines.refuse("more than the {} entries promised", header.entries);
}

/// Likewise; an array goes column by column, a symmetric one from the diagonal down.
template <class Put>
void each_of_array(NumberedLines& lines, const Header& header, const Put& put) {
  Index found = 0;
  for (Index column = 0; column < header.cols; ++column) {
    const Index first = header.symmetry == Symmetry::general     ? 0
                        : header.symmetry == Symmetry::symmetric ? column
                                                                 : column + 1;
    for (Index row = first; row < header.rows; ++row, ++found) {
      std::string_view line = lines.take_content();
      if (line.empty()) lines.refuse("{} entries are promised, {} found", header.entries, found);
      const double value = take_number(lines, line);
      if (!take_word(line).empty()) lines.refuse("more than one entry");
      put(row, column, value);
      if (header.symmetry != Symmetry::general && row != column)
        put(column, row, header.symmetry == Symmetry::skew ? -value : value);
    }
  }
  if (!lines.take_content().empty())
    lines.refuse("more than the {} entries promised", header.entries);
}

DenseTable<double> read_array(ByteSource& source, bool is_turned, bool is_trusted) {
  NumberedLines lines(source);
  const Header header = parse_header(lines, is_trusted);
  DenseTable<double> table{.rows = is_turned ? header.cols : header.rows,
                           .cols = is_turned ? header.rows : header.cols,
                           .values = {}};
  table.values.assign(static_cast<std::size_t>(table.rows * table.cols), 0.0);
  each_of_array(lines, header, [&](Index row, Index column, double value) {
    table.values[is_turned ? column * table.cols + row : row * table.cols + column] = value;
  });
  return table;
}

/// What the banner says: %%MatrixMarket matrix array ...
bool holds_array(ByteSource& source) {
  constexpr std::size_t kLongestBanner = 256;
  std::string_view start = source.peek(kLongestBanner);
  std::string_view line = take_line(start);
  take_word(line);
  take_word(line);
  return lower_case(take_word(line)) == "array";
}

/// Calls use(lines) with the lines of a source from its start: of a file, of which a piece is in
/// memory at a time, or of all that there is.
/// @param bytes of the source
template <class Use>
void with_lines(ByteSource& source, std::size_t bytes, const Use& use) {
  if (source.can_be_read_again()) {
    ByteSource again(source.path(), source.is_trusted());
    NumberedLines lines(again, bytes);
    use(lines);
  } else {
    NumberedLines lines(source.name(), trim_text(source.name(), source.rest()));
    use(lines);
  }
}

/// Reads the lines twice: rows are counted before they are filled. @throws OtherEntries
CsrTable<double> read_coordinates(ByteSource& source, bool is_turned, bool is_trusted) {
  const std::size_t bytes = content_size(source);
  Header header;
  with_lines(source, bytes,
             [&](NumberedLines& lines) { header = parse_header(lines, is_trusted); });
  return gather_entries<double>(
      is_turned ? header.cols : header.rows, is_turned ? header.rows : header.cols,
      [&](const auto& put) {
        with_lines(source, bytes, [&](NumberedLines& lines) {
          parse_header(lines, is_trusted);
          each_coordinate(lines, header, [&](Index row, Index column, double value) {
            is_turned ? put(column, row, value) : put(row, column, value);
          });
        });
      });
}

}  // namespace

bool looks_like_matrix_market(ByteSource& source) {
  return lower_case(source.peek(kBanner.size())) == lower_case(kBanner);
}

OwnedTable read_matrix_market_data(ByteSource& source, bool is_turned, bool is_trusted) {
  if (holds_array(source)) return read_array(source, is_turned, is_trusted);
  return read_coordinates(source, is_turned, is_trusted);
}

Table read_matrix_market(ByteSource& source, const ReadOptions& options) {
  Table table;
  table.data = read_matrix_market_data(source, /*is_turned=*/false, options.is_trusted);
  table.feature_names = numbered_names(table.cols());
  apply_options(source.name(), table, options);
  return table;
}

}  // namespace tamis
