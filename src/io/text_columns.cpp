#include "io/text_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "io/dates.hpp"
#include "io/delimited.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kExamples = 3;
constexpr std::size_t kColumnsNamed = 20;

void add_example(TextColumn& column, std::string_view text) {
  if (std::ranges::find(column.examples, text) != column.examples.end()) return;
  if (column.examples.size() < kExamples)
    column.examples.emplace_back(text);
  else
    column.has_more = true;
}

/// Counts a cell of the column.
void see(TextColumn& column, Index row, std::string_view text, NumberStyle style) {
  double value = 0.0;
  if (parse_cell(text, style, value)) {
    column.numbers += std::isnan(value) ? 0 : 1;
    return;
  }
  if (column.texts++ == 0) column.first_row = row;
  column.are_dates = column.are_dates && looks_like_date(text);
  column.have_signs = column.have_signs && !unit_sign(text).empty();
  add_example(column, text);
}

/// How an option names a column: by its number where its name would not do.
std::string handle_of(const Sheet& sheet, const TextColumn& column) {
  const std::string& name = sheet.names[column.column];
  // A header that reads like a cell is no header: the number is the surer way to the column.
  const bool use_name = sheet.has_header && !name.empty() && name != column.examples.front() &&
                        name.find(',') == std::string::npos;
  return use_name ? name : std::to_string(column.column);
}

std::string described(const Sheet& sheet, const TextColumn& column) {
  std::vector<std::string> examples;
  for (const std::string& text : column.examples) examples.push_back(shown(text));
  return fmt::format("{} ({}: {}{}{})", column.column, sheet.names[column.column],
                     column.are_dates    ? "dates, "
                     : column.have_signs ? "numbers with a sign, "
                                         : "",
                     fmt::join(examples, ", "), column.has_more ? ", ..." : "");
}

/// What stands beside a number may be part of it (12 % is 0.12) or not ($ 12), and columns may mix
/// them: that is not guessed.
[[noreturn]] void refuse_signs(const Sheet& sheet, const std::vector<TextColumn>& columns) {
  const TextColumn& first = columns.front();
  std::vector<std::string> handles;
  for (const TextColumn& column : columns) handles.push_back(handle_of(sheet, column));
  const std::string_view sign = unit_sign(first.examples.front());
  throw DataError(
      fmt::format(
          "{}: column {} ({}): {} is a number with {} beside it{}; take {} out, for instance "
          "by the format of the cells in a spreadsheet",
          sheet.place(first.first_row), first.column, sheet.names[first.column],
          shown(first.examples.front()), sign,
          columns.size() == 1 ? "" : fmt::format(", as in {} columns", columns.size()),
          columns.size() == 1 ? "the sign" : "the signs"),
      {Remedy::Action::leave_out_instead, fmt::format("{}", fmt::join(handles, ","))});
}

/// A few texts among numbers, such as <0.1, are neither classes nor ids.
[[noreturn]] void refuse_stray_texts(const Sheet& sheet, const TextColumn& column) {
  const std::string others =
      column.texts == 1
          ? fmt::format(
                "unlike {} of the column: write one in its place, or nothing if it is missing",
                counted(column.numbers, "other"))
          : fmt::format(
                "nor {} of the column, beside {}: write numbers in their place, or nothing if they "
                "are missing",
                counted(column.texts - 1, "other"), counted(column.numbers, "number"));
  throw DataError(fmt::format("{}: column {} ({}): {} is not a number, {}",
                              sheet.place(column.first_row), column.column,
                              sheet.names[column.column], shown(column.examples.front()), others),
                  {Remedy::Action::leave_out_instead, handle_of(sheet, column)});
}

}  // namespace

StyleVotes style_votes(const Sheet& sheet, const std::vector<Index>& columns) {
  constexpr Index kEnough = 10'000;
  StyleVotes votes;
  sheet.visit(columns, [&](Index, Index, std::string_view text) {
    votes.see(text);
    return votes.seen() < kEnough || votes.winner().is_plain() || votes.undecided();
  });
  return votes;
}

TextColumn text_column(const std::vector<std::string>& texts, Index column) {
  TextColumn found{.column = column};
  for (Index row = 0; row < std::ssize(texts); ++row) see(found, row, texts[row], {});
  return found;
}

std::vector<TextColumn> text_columns(const Sheet& sheet, const std::vector<Index>& columns) {
  std::vector<TextColumn> all(static_cast<std::size_t>(sheet.columns()));
  for (Index c = 0; c < sheet.columns(); ++c) all[c].column = c;
  sheet.visit(columns, [&](Index row, Index c, std::string_view text) {
    see(all[c], row, text, sheet.style);
    return true;
  });
  std::erase_if(all, [](const TextColumn& column) { return column.texts == 0; });
  return all;
}

std::vector<std::vector<std::string>> texts_of(const Sheet& sheet,
                                               const std::vector<Index>& columns) {
  std::vector<Index> place(static_cast<std::size_t>(sheet.columns()), 0);
  for (Index s = 0; s < std::ssize(columns); ++s) place[columns[s]] = s;
  std::vector<std::vector<std::string>> texts(columns.size());
  sheet.visit(columns, [&](Index, Index c, std::string_view text) {
    texts[place[c]].emplace_back(text);
    return true;
  });
  return texts;
}

void refuse_texts(const Sheet& sheet, const std::vector<TextColumn>& columns) {
  const TextColumn& first = columns.front();
  if (std::ranges::all_of(columns, &TextColumn::have_signs)) refuse_signs(sheet, columns);
  if (columns.size() == 1 && first.numbers > first.texts) refuse_stray_texts(sheet, first);
  if (columns.size() == 1)
    throw DataError(
        fmt::format("{}: column {} ({}): {} is not a number", sheet.place(first.first_row),
                    first.column, sheet.names[first.column], shown(first.examples.front())),
        {Remedy::Action::give_column_a_role, handle_of(sheet, first)});
  std::vector<std::string> texts;
  std::vector<std::string> handles;
  for (const TextColumn& column : columns) {
    if (texts.size() < kColumnsNamed) texts.push_back(described(sheet, column));
    handles.push_back(handle_of(sheet, column));
  }
  if (columns.size() > kColumnsNamed)
    texts.push_back(fmt::format("and {} more", columns.size() - kColumnsNamed));
  throw DataError(fmt::format("{}: {} columns hold text: {}", sheet.file, columns.size(),
                              fmt::join(texts, ", ")),
                  {Remedy::Action::give_columns_roles, fmt::format("{}", fmt::join(handles, ","))});
}

}  // namespace tamis
