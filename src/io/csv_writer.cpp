#include "io/csv.hpp"
#include "io/delimited.hpp"
#include "io/label_header.hpp"
#include "io/table_rows.hpp"
#include "io/text_sink.hpp"

namespace tamis {
namespace {

/// A text as it must stand to be read back as it is.
std::string quoted(const std::string& text, char delimiter) {
  return quoted_field(text, std::string{delimiter, '"', '\n', '\r', '\t'});
}

void append_header(TextSink& sink, const Table& table, std::span<const Index> columns,
                   char delimiter) {
  std::string header;
  if (!table.sample_ids.empty()) header += std::string("id") + delimiter;
  for (const Index c : columns) header += quoted(table.feature_names[c], delimiter) + delimiter;
  if (!table.label_texts.empty())
    header += quoted(label_header(table, columns), delimiter) + delimiter;
  header.back() = '\n';
  sink.append(header);
}

}  // namespace

void write_csv(const std::string& path, const Table& table, std::span<const Index> columns,
               char delimiter) {
  TextSink sink(path);
  append_header(sink, table, columns, delimiter);
  const std::string separator(1, delimiter);
  table.view().visit([&](const auto& view) {
    auto rows = gather_rows(view, columns);
    for (Index i = 0; i < view.rows(); ++i) {
      if (!table.sample_ids.empty())
        sink.append(quoted(table.sample_ids[i], delimiter) + delimiter);
      bool is_first = true;
      for (const auto value : rows.row(i)) {
        if (!is_first) sink.append(separator);
        is_first = false;
        sink.append_number(value);
      }
      if (!table.label_texts.empty()) {
        if (!is_first) sink.append(separator);
        sink.append(quoted(table.label_texts[i], delimiter));
      }
      sink.append("\n");
    }
  });
  sink.commit();
}

}  // namespace tamis
