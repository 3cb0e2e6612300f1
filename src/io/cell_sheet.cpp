#include "io/cell_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "io/delimited.hpp"
#include "io/text_columns.hpp"
#include "io/turned.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Quiet NaNs with these bits hold the number of a text below them; that of missing cells does not.
constexpr std::uint64_t kTextMark = 0x7FFC'0000'0000'0000;
constexpr std::uint64_t kMarkBits = 0xFFFC'0000'0000'0000;

bool is_text(Cell cell) { return (std::bit_cast<std::uint64_t>(cell) & kMarkBits) == kTextMark; }

}  // namespace

bool is_missing(Cell cell) { return std::isnan(cell) && !is_text(cell); }

CellSheet::CellSheet(const std::string& path) {
  file = path;
  style = {.decimal = '.', .has_groups = true};
}

Cell CellSheet::text_cell(std::string_view text) {
  texts_ += text;
  text_ends_.push_back(texts_.size());
  return std::bit_cast<double>(kTextMark | (text_ends_.size() - 1));
}

std::string_view CellSheet::text_at(Cell cell) const {
  const std::size_t number = std::bit_cast<std::uint64_t>(cell) & ~kMarkBits;
  const std::size_t begin = number == 0 ? 0 : text_ends_[number - 1];
  return std::string_view(texts_).substr(begin, text_ends_[number] - begin);
}

std::string CellSheet::text_of(Cell cell) const {
  if (is_text(cell)) return std::string(text_at(cell));
  return std::isnan(cell) ? std::string() : fmt::format("{}", cell);
}

void CellSheet::add_row(std::span<const Cell> cells, Index line) {
  const auto width = std::ssize(cells);
  const bool goes_on = !runs_.empty() && runs_.back().width == width &&
                       line - runs_.back().line == added_ - runs_.back().first;
  if (!goes_on) runs_.push_back({added_, line, width, cells_.size()});
  cells_.append(cells);
  ++added_;
}

void CellSheet::add_column(std::span<const Cell> cells) {
  has_columns_ = true;
  runs_.push_back({added_++, 1, std::ssize(cells), cells_.size()});
  cells_.append(cells);
}

void CellSheet::set_row_names(std::vector<Cell> cells) {
  row_names_ = std::move(cells);
  has_row_names_ = true;
}

void CellSheet::set_names(std::vector<std::string> given) {
  has_header = may_lack_cells_ = true;
  const Index columns = std::ssize(given);
  take_names(*this, std::move(given), columns);
}

Index CellSheet::rows() const { return has_columns_ ? runs_.front().width : added_ - skipped_; }

const CellSheet::Run& CellSheet::run_of(Index row) const {
  return *(std::ranges::upper_bound(runs_, row, {}, &Run::first) - 1);
}

Cell CellSheet::at(const Run& run, Index row, Index column) const {
  if (has_row_names_ && column-- == 0)
    return row < std::ssize(row_names_) ? row_names_[row] : kMissingCell;
  if (column >= run.width) return kMissingCell;
  return cells_[run.start +
                static_cast<std::size_t>((row + skipped_ - run.first) * run.width + column)];
}

Cell CellSheet::at(Index row, Index column) const {
  if (!has_columns_) return at(run_of(row + skipped_), row, column);
  if (has_row_names_ && column-- == 0)
    return row < std::ssize(row_names_) ? row_names_[row] : kMissingCell;
  const Run& cells = runs_[column];  // of any length until check_widths has seen it
  return row < cells.width ? cells_[cells.start + static_cast<std::size_t>(row)] : kMissingCell;
}

std::vector<std::string> CellSheet::cells(Index row) const {
  const Index count = has_columns_ ? columns() : width(row);
  std::vector<std::string> texts;
  for (Index c = 0; c < count; ++c) texts.push_back(text_of(at(row, c)));
  return texts;
}

Index CellSheet::line(Index row) const {
  if (has_columns_) return row + 1;
  const Run& run = run_of(row + skipped_);
  return run.line + row + skipped_ - run.first;
}

Index CellSheet::length(Index column) const {
  const bool is_own = has_columns_ && !(has_row_names_ && column == 0);
  return is_own ? runs_[column - (has_row_names_ ? 1 : 0)].width : rows();
}

std::vector<std::string> CellSheet::column_texts(Index column) const {
  std::vector<std::string> texts;
  for (Index i = 0; i < length(column); ++i) texts.push_back(text_of(at(i, column)));
  return texts;
}

bool CellSheet::has_texts(Index column) const {
  for (Index i = 0; i < length(column); ++i)
    if (is_text(at(i, column))) return true;
  return false;
}

void CellSheet::visit(const std::vector<Index>& wanted, const Visit& visit) const {
  for (const Index c : wanted)
    for (Index i = 0; i < rows(); ++i)
      if (!visit(i, c, is_parsed_ ? kept_.at(c)[i] : text_of(at(i, c)))) return;
}

/// Rows of one text each above those of several cells, as people write above a table.
void CellSheet::skip_titles() {
  while (rows() > 2 && width(0) == 1 && is_text(at(0, 0)) &&
         (width(1) > 2 || (width(1) == 1 && is_text(at(1, 0)) && width(2) > 2))) {
    notes.push_back({fmt::format("row {} is left out: {} is taken as a title of the table", line(0),
                                 shown(text_at(at(0, 0))))});
    ++skipped_;
  }
}

void CellSheet::take_header(const ReadOptions& options) {
  skip_titles();
  std::vector<std::string> first = cells(0);
  const bool is_short = rows() > 1 && width(1) == std::ssize(first) + 1;
  has_header = options.has_header.value_or(looks_like_header(first, options) ||
                                           (is_short && first.size() > 1));
  if (!has_header) {
    names = numbered_names(std::ssize(first));
    return;
  }
  ++skipped_;
  if (rows() == 0) throw DataError(fmt::format("{}: has a header and no rows", file));
  take_names(*this, std::move(first), width(0));
}

/// @throws DataError naming the first row, or column, that is not as long as it should be
void CellSheet::check_widths() const {
  if (has_columns_) {
    for (Index c = 1; c < added_; ++c)
      if (const Index shift = has_row_names_ ? 1 : 0; runs_[c].width != runs_[0].width)
        throw DataError(fmt::format("{}: column {} has {} cells, column {} has {}", file,
                                    shown(names[shift]), runs_[0].width, shown(names[c + shift]),
                                    runs_[c].width));
    return;
  }
  for (const Run& run : runs_) {
    const Index row = std::max<Index>(run.first - skipped_, 0);
    const Index found = width(row);
    if (found == columns() || (may_lack_cells_ && found < columns())) continue;
    throw DataError(fmt::format("{}: {} field{} found, {} expected", place(row), found,
                                found == 1 ? "" : "s", columns()));
  }
}

/// Whether a feature holds a text that is no number.
bool CellSheet::has_words(const std::vector<Index>& features) const {
  double value = 0.0;
  for (Index i = 0; i < rows(); ++i)
    for (const Index c : features)
      if (const Cell cell = at(i, c); is_text(cell) && !parse_cell(text_at(cell), style, value))
        return true;
  return false;
}

template <class T>
T CellSheet::number_of(Cell cell, unsigned char& is_truth) const {
  if (!is_text(cell)) return static_cast<T>(cell);
  T value = 0;
  parse_cell(text_at(cell), style, value);
  if (truth_of(text_at(cell))) is_truth = 1;
  return value;
}

template <class T>
void CellSheet::take_features(const ColumnRoles& roles, Table& table) {
  auto& data = table.data.emplace<DenseTable<T>>();
  data.rows = rows();
  data.cols = std::ssize(roles.features);
  data.values.resize(static_cast<std::size_t>(data.rows * data.cols));
  std::vector<unsigned char> has_truths(roles.features.size(), 0);
  T* out = data.values.data();
  if (has_columns_) {
    for (Index r = 0; r < data.cols; ++r) {
      for (Index i = 0; i < data.rows; ++i)
        *out++ = number_of<T>(at(i, roles.features[r]), has_truths[r]);
      cells_.free_before(runs_[std::max<Index>(roles.features[r] - has_row_names_, 0)].start);
    }
    turn_values(data.values, data.cols, data.rows);
  } else {
    for (Index i = 0; i < data.rows; ++i) {
      const Run& run = run_of(i + skipped_);
      for (Index r = 0; r < data.cols; ++r)
        *out++ = number_of<T>(at(run, i, roles.features[r]), has_truths[r]);
      cells_.free_before(run.start +
                         static_cast<std::size_t>((i + skipped_ - run.first) * run.width));
    }
  }
  std::vector<Index> truths;
  for (Index r = 0; r < data.cols; ++r)
    if (has_truths[r] != 0) truths.push_back(r);
  note_truths(*this, roles, truths);
}

void CellSheet::parse(ColumnRoles& roles, const ReadOptions& options, Table& table) {
  check_widths();
  if (has_words(roles.features)) set_texts_apart(*this, options.encode, roles);
  std::vector<Index> others = roles.texts;
  std::ranges::copy(label_columns(roles), std::back_inserter(others));
  if (roles.id) others.push_back(*roles.id);
  for (const Index c : others) kept_.emplace(c, column_texts(c));
  if (roles.label) table.label_texts = kept_.at(*roles.label);
  for (const Index c : roles.other_labels) table.other_labels.push_back({names[c], kept_.at(c)});
  if (roles.id) table.sample_ids = kept_.at(*roles.id);
  if (options.precision == Precision::single)
    take_features<float>(roles, table);
  else
    take_features<double>(roles, table);
  is_parsed_ = true;
}

Table CellSheet::read(const ReadOptions& options) && {
  if (rows() == 0 || (names.empty() && width(0) == 0))
    throw DataError(fmt::format("{}: holds no rows", file));
  if (names.empty()) take_header(options);
  make_unique(names, notes);
  return table_of(*this, options);
}

}  // namespace tamis
