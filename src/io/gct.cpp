#include "io/gct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "io/annotations.hpp"
#include "io/delimited.hpp"
#include "io/words.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// What the first lines promise.
struct Shape {
  Index genes = 0;
  Index samples = 0;
  Index gene_fields = 1;    ///< behind the name of a gene: its description, or metadata
  Index sample_fields = 0;  ///< lines about the samples before those of the genes
};

/// The cells of the next line, which tabs separate.
std::vector<std::string_view> next_cells(NumberedLines& lines) {
  const bool is_at_end = lines.is_at_end();
  std::string_view line = lines.take();
  if (is_at_end) lines.refuse("the file ends here");
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = line.find('\t');
    cells.push_back(line.substr(0, end));
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return cells;
}
/// Likewise, as many as there must be.
std::vector<std::string_view> next_cells(NumberedLines& lines, Index expected) {
  std::vector<std::string_view> cells = next_cells(lines);
  if (std::ssize(cells) != expected)
    lines.refuse("{} cells found, {} expected", cells.size(), expected);
  return cells;
}

Index count_of(const NumberedLines& lines, std::string_view cell) {
  Index count = 0;
  const auto [stop, code] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
  if (cell.empty() || code != std::errc{} || stop != cell.data() + cell.size() || count < 0)
    lines.refuse("{} is not a number of rows or columns", shown(cell));
  return count;
}

Shape parse_shape(NumberedLines& lines) {
  const bool is_newer = next_cells(lines).front() == "#1.3";
  std::vector<std::string_view> cells = next_cells(lines);
  while (!cells.empty() && cells.back().empty()) cells.pop_back();  // spreadsheets add tabs
  const std::size_t expected = is_newer ? 4 : 2;
  if (cells.size() != expected)
    lines.refuse("{} numbers found, {} expected: of genes, of samples{}", cells.size(), expected,
                 is_newer ? ", and of fields about either" : "");
  Shape shape{.genes = count_of(lines, cells[0]), .samples = count_of(lines, cells[1])};
  if (is_newer) {
    shape.gene_fields = count_of(lines, cells[2]);
    shape.sample_fields = count_of(lines, cells[3]);
  }
  if (shape.genes == 0 || shape.samples == 0)
    lines.refuse("a table of {} genes and {} samples is empty", shape.genes, shape.samples);
  // A cell takes a tab at least.
  const auto most = static_cast<Index>(lines.bytes());
  if (shape.samples > most || shape.gene_fields > most || shape.sample_fields > most ||
      shape.genes > most / shape.samples)
    lines.refuse("{} genes and {} samples are promised, more than {} bytes can hold", shape.genes,
                 shape.samples, lines.bytes());
  return shape;
}

void check_names(const std::string& file, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t r = 0; r < names.size(); ++r) {
    const auto [first, is_new] = seen.emplace(names[r], r);
    if (!is_new)
      throw DataError(fmt::format("{}: genes {} and {} (from 0) are both named {}", file,
                                  first->second, r, shown(names[r])));
  }
}

class Parser {
 public:
  explicit Parser(ByteSource& source) : lines_(source), shape_(parse_shape(lines_)) {}

  Table parse() {
    const Index first = 1 + shape_.gene_fields;
    const std::vector<std::string_view> header = next_cells(lines_, first + shape_.samples);
    Table table;
    table.sample_ids.assign(header.begin() + first, header.end());
    for (Index field = 0; field < shape_.sample_fields; ++field) {
      const std::vector<std::string_view> cells = next_cells(lines_, first + shape_.samples);
      annotations.names.emplace_back(cells.front());
      texts_.emplace_back(cells.begin() + first, cells.end());
    }
    annotations.texts = [this](Index number) { return std::move(texts_[number]); };
    table.data = parse_values(table.feature_names);
    if (!lines_.take_content().empty())
      lines_.refuse("more than the {} genes promised", shape_.genes);
    return table;
  }

  Annotations annotations = {};

 private:
  DenseTable<double> parse_values(std::vector<std::string>& genes) {
    const Index first = 1 + shape_.gene_fields;
    DenseTable<double> data{.rows = shape_.samples, .cols = shape_.genes, .values = {}};
    data.values.resize(static_cast<std::size_t>(shape_.samples * shape_.genes));
    for (Index r = 0; r < shape_.genes; ++r) {
      const std::vector<std::string_view> cells = next_cells(lines_, first + shape_.samples);
      genes.emplace_back(cells.front());
      for (Index i = 0; i < shape_.samples; ++i)
        if (!parse_number(cells[first + i], data.values[i * shape_.genes + r]))
          lines_.refuse("column {}: {} is not a number", first + i, shown(cells[first + i]));
    }
    return data;
  }

  NumberedLines lines_;
  Shape shape_;
  std::vector<std::vector<std::string>> texts_ = {};
};

}  // namespace

bool looks_like_gct(ByteSource& source) {
  const std::string_view start = source.peek(5);
  return (start.starts_with("#1.2") || start.starts_with("#1.3")) &&
         start.find_first_of("\r\n\t", 4) == 4;
}

Table read_gct(ByteSource& source, const ReadOptions& options) {
  Parser parser(source);
  Table table = parser.parse();
  check_names(source.name(), table.feature_names);
  apply_options(source.name(), table, parser.annotations, options);
  return table;
}

}  // namespace tamis
