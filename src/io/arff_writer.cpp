#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "io/arff.hpp"
#include "io/delimited.hpp"
#include "io/label_header.hpp"
#include "io/table_rows.hpp"
#include "io/text_sink.hpp"

namespace tamis {
namespace {

/// A text as a value or a name; those that mean "not known" are ?, as Weka has it.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') word += '\\';
    word += c == '\n' || c == '\r' ? ' ' : c;  // a line of a file is a row
  }
  return word + "'";
}

std::string label_value(const std::string& text) {
  return means_unlabeled(text) ? "?" : quoted(text);
}

/// The classes as the declaration of a nominal attribute.
std::string classes(const std::vector<std::string>& labels) {
  std::set<std::string> known;
  for (const std::string& label : labels)
    if (!means_unlabeled(label)) known.insert(quoted(label));
  return fmt::format("{{{}}}",
                     known.empty() ? "'unknown'" : fmt::format("{}", fmt::join(known, ",")));
}

void append_header(TextSink& sink, const Table& table, std::span<const Index> columns) {
  sink.append("@relation tamis\n");
  if (!table.sample_ids.empty()) sink.append("@attribute id string\n");
  for (const Index c : columns)
    sink.append(fmt::format("@attribute {} numeric\n", quoted(table.feature_names[c])));
  if (!table.label_texts.empty())
    sink.append(fmt::format("@attribute {} {}\n", quoted(label_header(table, columns)),
                            classes(table.label_texts)));
  sink.append("@data\n");
}

template <class T>
void append_number(TextSink& sink, T value) {
  if (std::isnan(value))
    sink.append("?");
  else
    sink.append_number(value);
}

template <class T>
void append_row(TextSink& sink, const Table& table, Index i, std::span<const T> row) {
  std::string_view separator = "";
  const auto separate = [&] {
    sink.append(separator);
    separator = ",";
  };
  if (!table.sample_ids.empty()) {
    separate();
    sink.append(quoted(table.sample_ids[i]));
  }
  for (const T value : row) {
    separate();
    append_number(sink, value);
  }
  if (!table.label_texts.empty()) {
    separate();
    sink.append(label_value(table.label_texts[i]));
  }
  sink.append("\n");
}

template <class T>
void append_sparse_row(TextSink& sink, const Table& table, Index i, std::span<const T> row) {
  const std::size_t first = table.sample_ids.empty() ? 0 : 1;
  std::string_view separator = "";
  const auto index = [&](std::size_t number) {
    sink.append(fmt::format("{}{} ", separator, number));
    separator = ",";
  };
  sink.append("{");
  if (first == 1) {
    index(0);
    sink.append(quoted(table.sample_ids[i]));
  }
  for (std::size_t r = 0; r < row.size(); ++r) {
    if (row[r] == T{0}) continue;
    index(first + r);
    append_number(sink, row[r]);
  }
  if (!table.label_texts.empty()) {
    index(first + row.size());
    sink.append(label_value(table.label_texts[i]));
  }
  sink.append("}\n");
}

}  // namespace

void write_arff(const std::string& path, const Table& table, std::span<const Index> columns) {
  TextSink sink(path);
  append_header(sink, table, columns);
  table.view().visit([&](const auto& view) {
    auto rows = gather_rows(view, columns);
    for (Index i = 0; i < view.rows(); ++i)
      if (table.view().is_sparse())
        append_sparse_row(sink, table, i, rows.row(i));
      else
        append_row(sink, table, i, rows.row(i));
  });
  sink.commit();
}

}  // namespace tamis
