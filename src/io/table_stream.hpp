#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/columns.hpp"
#include "tamis/core/row_source.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// What a Table is, for a file of which a run of rows is in memory at a time.
struct TableStream {
  std::unique_ptr<RowSource> rows = nullptr;
  std::vector<std::string> feature_names = {};  ///< always one per column
  std::vector<std::string> sample_ids = {};     ///< one per row, or empty
  std::vector<std::string> label_texts = {};    ///< one per row as written, or empty
  std::string label_name = {};
  Format format = Format::csv;
  std::vector<Note> notes = {};
};

/// Opens a table to read it in runs of rows; nothing if its format has none, or if it is compressed
/// or comes from a pipe. Columns that are called like ids are only warned of: to set them apart
/// takes a look at all rows.
/// @throws as read_table
std::optional<TableStream> open_table_stream(const std::string& path, const ReadOptions& options);

/// Moves the columns of a stream of numbers where they belong, for which it is read once if labels
/// or ids are among them, and drops those in no place.
void apply_roles(TableStream& stream, const ColumnRoles& roles);

/// Does to a stream of numbers what the options ask: takes labels and ids out of columns, for which
/// it is read once, and drops columns.
void apply_options(const std::string& file, TableStream& stream, const ReadOptions& options);

}  // namespace tamis
