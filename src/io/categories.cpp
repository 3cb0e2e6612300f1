#include "io/categories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include "core/counted.hpp"
#include "io/dates.hpp"
#include "io/delimited.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kCategoriesNamed = 5;
/// More than so many different texts are no categories if most rows have one of their own.
constexpr std::size_t kManyCategories = 20;

using Texts = std::vector<std::string>;

/// The different texts of a column, in order, and which of them each row has; -1: none.
struct Categories {
  Texts names = {};
  std::vector<Index> codes = {};
};

struct ByValue {
  bool operator()(const std::string& a, const std::string& b) const {
    double first = 0.0;
    double second = 0.0;
    parse_number(a, first);
    parse_number(b, second);
    return first < second || (first == second && a < b);
  }
};

Categories categories_of(const Texts& texts) {
  Categories found;
  for (const std::string& text : texts)
    if (!means_unlabeled(text)) found.names.push_back(text);
  std::ranges::sort(found.names);
  found.names.erase(std::unique(found.names.begin(), found.names.end()), found.names.end());
  if (std::ranges::all_of(found.names, is_number_or_missing))
    std::ranges::sort(found.names, ByValue{});
  std::map<std::string_view, Index> numbers;
  for (const std::string& name : found.names) numbers.emplace(name, std::ssize(numbers));
  for (const std::string& text : texts)
    found.codes.push_back(means_unlabeled(text) ? -1 : numbers.at(text));
  return found;
}

/// A number among texts may be a slip of the pen in a measurement, whose values seldom repeat.
void check_are_categories(const TextFeature& feature, const Categories& categories) {
  const TextColumn& seen = feature.seen;
  const Index filled = seen.texts + seen.numbers;
  const bool are_many = categories.names.size() > kManyCategories || seen.numbers > seen.texts;
  if (!are_many || 2 * std::ssize(categories.names) <= filled) return;
  throw DataError(
      fmt::format("{}: {} different values in {}, {} for instance, seem to be no categories",
                  feature.place, categories.names.size(), counted(filled, "row"),
                  shown(seen.examples.empty() ? categories.names.front() : seen.examples.front())),
      {Remedy::Action::leave_out, feature.name});
}

void add(Index group, std::string name, std::vector<double> column, EncodedTexts& added) {
  added.names.push_back(std::move(name));
  added.values.push_back(std::move(column));
  added.groups.push_back(group);
}

void add_indicators(Index group, const std::string& name, const Categories& categories,
                    EncodedTexts& added) {
  for (Index c = 0; c < std::ssize(categories.names); ++c) {
    std::vector<double> column;
    for (const Index code : categories.codes)
      column.push_back(code == -1 ? kNone : code == c ? 1.0 : 0.0);
    add(group, fmt::format("{}={}", name, categories.names[c]), std::move(column), added);
  }
}

void add_numbered(Index group, const std::string& name, const Categories& categories,
                  EncodedTexts& added) {
  std::vector<double> column;
  for (const Index code : categories.codes)
    column.push_back(code == -1 ? kNone : static_cast<double>(code));
  add(group, name, std::move(column), added);
}

std::string listed(const Texts& names) {
  Texts some;
  for (const std::string& name : std::span(names).first(std::min(names.size(), kCategoriesNamed)))
    some.push_back(shown(name));
  return fmt::format("{}{}", fmt::join(some, ", "), names.size() > kCategoriesNamed ? ", ..." : "");
}

/// What became of a column.
std::string encode(Index group, const TextFeature& feature, Encode kind, EncodedTexts& added) {
  const auto& [place, name, seen, texts] = feature;
  if (seen.are_dates && seen.numbers == 0) {
    add(group, name, days_of(place, texts), added);
    return fmt::format("column {} holds dates, read as days since 1970-01-01", shown(name));
  }
  const Categories categories = categories_of(texts);
  check_are_categories(feature, categories);
  const std::string found = fmt::format("column {} holds {} ({})", shown(name),
                                        categories.names.size() == 1
                                            ? "1 category"
                                            : fmt::format("{} categories", categories.names.size()),
                                        listed(categories.names));
  if (kind == Encode::ordinal) {
    add_numbered(group, name, categories, added);
    return found + ", numbered from 0 in this order";
  }
  add_indicators(group, name, categories, added);
  return fmt::format("{}, read as {} of 0 and 1 that stand for one feature", found,
                     counted(std::ssize(categories.names), "column"));
}

template <class T>
DenseTable<T> with_columns(const DenseTable<T>& table, const EncodedTexts& added) {
  const Index count = std::ssize(added.values);
  DenseTable<T> wider{.rows = table.rows, .cols = table.cols + count, .values = {}};
  wider.values.resize(static_cast<std::size_t>(wider.rows * wider.cols));
  T* out = wider.values.data();
  for (Index i = 0; i < table.rows; ++i) {
    out = std::copy_n(table.values.begin() + i * table.cols, table.cols, out);
    for (const std::vector<double>& column : added.values) *out++ = static_cast<T>(column[i]);
  }
  return wider;
}

void append(const EncodedTexts& added, Table& table) {
  table.groups = all_indices(table.cols());
  for (const Index group : added.groups) table.groups.push_back(table.cols() + group);
  table.feature_names.insert(table.feature_names.end(), added.names.begin(), added.names.end());
  if (auto* const single = std::get_if<DenseTable<float>>(&table.data))
    table.data = with_columns(*single, added);
  else
    table.data = with_columns(std::get<DenseTable<double>>(table.data), added);
}

void note_left_out(const Sheet& sheet, const std::vector<Index>& columns, Table& table) {
  Texts names;
  for (const Index column : columns) names.push_back(sheet.names[column]);
  table.notes.push_back(
      {fmt::format("{} of text {} left out: {}", columns.size() == 1 ? "a column" : "columns",
                   columns.size() == 1 ? "is" : "are", listed(names))});
}

}  // namespace

EncodedTexts encode_features(const std::vector<TextFeature>& features, Encode kind) {
  EncodedTexts encoded;
  for (Index group = 0; group < std::ssize(features); ++group)
    encoded.notes.push_back(encode(group, features[group], kind, encoded));
  return encoded;
}

void encode_texts(const Sheet& sheet, const std::vector<Index>& columns, Encode kind,
                  Table& table) {
  if (columns.empty()) return;
  if (kind == Encode::drop) return note_left_out(sheet, columns, table);
  std::vector<Texts> texts = texts_of(sheet, columns);
  std::vector<TextFeature> features;
  for (TextColumn& seen : text_columns(sheet, columns)) {
    const auto place = std::ranges::find(columns, seen.column) - columns.begin();
    const std::string& name = sheet.names[seen.column];
    features.push_back({.place = fmt::format("{}: column {} ({})", sheet.file, seen.column, name),
                        .name = name,
                        .seen = std::move(seen),
                        .texts = std::move(texts[place])});
  }
  const EncodedTexts added = encode_features(features, kind);
  for (const std::string& note : added.notes) table.notes.push_back({note});
  append(added, table);
}

}  // namespace tamis
