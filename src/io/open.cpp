#include "tamis/io/open.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/delimited.hpp"
#include "io/formats.hpp"
#include "io/plain_text.hpp"
#include "io/sparse_rows.hpp"
#include "io/tenx.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

Table read_any(const std::string& path, const ReadOptions& options) {
  if (std::filesystem::is_directory(path)) {
    Table table = read_10x_folder(path, options);
    table.format = {"10x"};
    return table;
  }
  ByteSource source(path, options.is_trusted);
  if (source.peek(1).empty()) throw DataError(fmt::format("{}: is empty", source.name()));
  const FileFormat& format = format_of(source);
  Table table = format.read(source, options);
  table.format = {format.name};
  return table;
}

void make_utf8(Table& table) {
  make_utf8(table.feature_names, table.notes);
  make_utf8(table.sample_ids, table.notes);
  make_utf8(table.label_texts, table.notes);
  for (LabelColumn& other : table.other_labels) make_utf8(other.texts, table.notes);
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  try {
    Table table = read_any(path, options);
    make_utf8(table);
    return table;
  } catch (const OtherEntries&) {
    throw IoError(fmt::format("{}: changed while it was read", path));
  }
}

void write_table(const std::string& path, const Table& table, std::span<const Index> columns,
                 Format format) {
  const FileFormat& wanted = find_format(format);
  check_is_written(wanted);
  wanted.write(path, table, columns);
}

std::optional<Format> format_of_extension(const std::string& path) {
  std::string name = lower_case(path);
  const bool is_compressed = name.ends_with(".gz");
  if (is_compressed) name.resize(name.size() - 3);
  for (const FileFormat& format : formats())
    if (std::ranges::any_of(format.extensions, [&](auto end) { return name.ends_with(end); }) &&
        (format.is_text() || !is_compressed))
      return Format{format.name};
  return std::nullopt;
}

}  // namespace tamis
