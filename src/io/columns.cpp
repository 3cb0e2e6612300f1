#include "io/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/delimited.hpp"
#include "io/id_columns.hpp"
#include "io/turned.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::optional<Index> column_number(const std::string& text, Index count) {
  Index number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc{} || stop != end || number < 0 || number >= count) return std::nullopt;
  return number;
}

std::optional<Index> default_label_column(const std::vector<std::string>& names) {
  for (const std::string& wanted : default_label_names())
    for (Index c = 0; c < std::ssize(names); ++c)
      if (lower_case(names[c]) == wanted) return c;
  return std::nullopt;
}

template <class T>
std::vector<std::string> column_texts(const DenseTable<T>& data, Index column) {
  std::vector<std::string> texts;
  for (Index i = 0; i < data.rows; ++i) texts.push_back(fmt::format("{}", data.view()(i, column)));
  return texts;
}

template <class T>
std::vector<std::string> column_texts(const CsrTable<T>& data, Index column) {
  std::vector<std::string> texts;
  const CsrView<T> view = data.view();
  for (Index i = 0; i < view.rows(); ++i) {
    const auto columns = view.row_columns(i);
    const auto found = std::ranges::lower_bound(columns, column);
    const bool is_stored = found != columns.end() && *found == column;
    texts.push_back(is_stored ? fmt::format("{}", view.row_values(i)[found - columns.begin()])
                              : "0");
  }
  return texts;
}

/// Keeps the given columns (ascending), in place: what is written never overtakes what is read.
template <class T>
void keep_columns(DenseTable<T>& data, const std::vector<Index>& kept) {
  T* out = data.values.data();
  for (Index i = 0; i < data.rows; ++i)
    for (const Index c : kept) *out++ = data.values[i * data.cols + c];
  data.cols = std::ssize(kept);
  data.values.resize(static_cast<std::size_t>(data.rows * data.cols));
}

template <class T>
void keep_columns(CsrTable<T>& data, const std::vector<Index>& kept) {
  std::vector<ColumnIndex> new_column(static_cast<std::size_t>(data.cols), -1);
  for (std::size_t c = 0; c < kept.size(); ++c) new_column[kept[c]] = static_cast<ColumnIndex>(c);
  Index out = 0;
  Index begin = 0;
  for (Index i = 0; i + 1 < std::ssize(data.offsets); ++i) {
    const Index end = data.offsets[i + 1];
    for (Index e = begin; e < end; ++e) {
      if (new_column[data.columns[e]] < 0) continue;
      data.columns[out] = new_column[data.columns[e]];
      data.values[out++] = data.values[e];
    }
    begin = end;
    data.offsets[i + 1] = out;
  }
  data.cols = std::ssize(kept);
  data.columns.resize(static_cast<std::size_t>(out));
  data.values.resize(static_cast<std::size_t>(out));
}

DenseTable<float> as_single(DenseTable<double>&& data) {
  DenseTable<float> single{.rows = data.rows, .cols = data.cols, .values = {}};
  single.values.resize(data.values.size());
  std::ranges::transform(data.values, single.values.begin(),
                         [](double value) { return static_cast<float>(value); });
  return single;
}

CsrTable<float> as_single(CsrTable<double>&& data) {
  return {.cols = data.cols,
          .offsets = std::move(data.offsets),
          .columns = std::move(data.columns),
          .values = std::vector<float>(data.values.begin(), data.values.end())};
}

}  // namespace

const std::vector<std::string>& default_label_names() {
  static const std::vector<std::string> names = {"class", "label", "target", "y"};
  return names;
}

Index find_column(const std::string& file, std::string_view role, const std::string& wanted,
                  const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, wanted);
  if (found != names.end()) return found - names.begin();
  if (const auto number = column_number(wanted, std::ssize(names))) return *number;
  throw InvalidArgument(
      fmt::format("{}: {} {}: there is no such column among its {} (names, or numbers from 0){}",
                  file, role, wanted, names.size(), did_you_mean(wanted, names)));
}

std::vector<Index> label_columns(const ColumnRoles& roles) {
  std::vector<Index> all = roles.other_labels;
  if (roles.label) all.insert(all.begin(), *roles.label);
  return all;
}

ColumnRoles assign_roles(const std::string& file, const std::vector<std::string>& names,
                         bool has_names, const ReadOptions& options) {
  ColumnRoles roles;
  std::vector<bool> is_feature(names.size(), true);
  std::vector<bool> is_kept(names.size(), false);
  for (const std::string& kept : options.keep)
    is_kept[find_column(file, "kept column", kept, names)] = true;
  for (const std::string& dropped : options.drop)
    is_feature[find_column(file, "dropped column", dropped, names)] = false;
  if (options.id_column) roles.id = find_column(file, "id column", *options.id_column, names);
  if (options.label_column && *options.label_column != "none")
    roles.label = find_column(file, "label column", *options.label_column, names);
  for (const std::string& other : options.other_labels)
    roles.other_labels.push_back(find_column(file, "label column", other, names));
  const std::optional<Index> presumed = has_names ? default_label_column(names) : std::nullopt;
  if (presumed && presumed != roles.id && is_feature[*presumed] && !is_kept[*presumed]) {
    if (!options.label_column) {
      roles.label = presumed;
      roles.notes.push_back(
          {fmt::format("column {} is taken as the labels", shown(names[*presumed]))});
    } else if (*options.label_column == "none") {
      is_feature[*presumed] = false;
      roles.notes.push_back({fmt::format("column {} is left out: its name is that of labels",
                                         shown(names[*presumed])),
                             {Remedy::Action::keep_column, names[*presumed]}});
    }
  }
  for (const Index label : label_columns(roles)) {
    if (std::ranges::count(label_columns(roles), label) > 1)
      throw InvalidArgument(
          fmt::format("{}: column {} is asked for twice as the labels", file, shown(names[label])));
    if (label == roles.id)
      throw InvalidArgument(fmt::format("{}: column {} cannot hold both the labels and the ids",
                                        file, shown(names[label])));
    is_feature[label] = false;
  }
  if (roles.id) is_feature[*roles.id] = false;
  for (Index c = 0; c < std::ssize(names); ++c) {
    if (!is_feature[c]) continue;
    roles.features.push_back(c);
    roles.is_kept.push_back(is_kept[c]);
  }
  if (roles.features.empty())
    throw DataError(
        fmt::format("{}: none of its {} columns is left as a feature", file, names.size()));
  return roles;
}

std::vector<std::string> numbered_names(Index count) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (Index c = 0; c < count; ++c) names.push_back(fmt::format("f{}", c));
  return names;
}

void keep_columns(OwnedTable& table, const std::vector<Index>& kept) {
  std::visit([&](auto& data) { keep_columns(data, kept); }, table);
}

std::vector<std::string> column_texts(const OwnedTable& table, Index column) {
  return std::visit([&](const auto& data) { return column_texts(data, column); }, table);
}

void apply_roles(Table& table, const ColumnRoles& roles) {
  if (std::ssize(roles.features) == table.cols()) return;
  if (roles.label) table.label_texts = column_texts(table.data, *roles.label);
  for (const Index c : roles.other_labels)
    table.other_labels.push_back({table.feature_names[c], column_texts(table.data, c)});
  if (roles.id) table.sample_ids = column_texts(table.data, *roles.id);
  keep_columns(table.data, roles.features);
  if (roles.label) table.label_name = table.feature_names[*roles.label];
  std::vector<std::string> names;
  for (const Index c : roles.features) names.push_back(std::move(table.feature_names[c]));
  table.feature_names = std::move(names);
}

void store_single(Table& table) {
  if (auto* dense = std::get_if<DenseTable<double>>(&table.data))
    table.data = as_single(std::move(*dense));
  else if (auto* sparse = std::get_if<CsrTable<double>>(&table.data))
    table.data = as_single(std::move(*sparse));
}

void apply_options(const std::string& file, Table& table, const ReadOptions& options) {
  if (options.transpose) turn(table);
  const ColumnRoles roles = assign_roles(file, table.feature_names, /*has_names=*/false, options);
  if (options.label_column) {
    table.label_texts.clear();
    table.label_name.clear();
  }
  apply_roles(table, roles);
  set_ids_apart(table, roles.is_kept);
  if (options.precision == Precision::single) store_single(table);
}

}  // namespace tamis
