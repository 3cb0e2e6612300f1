#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// What the columns of a file are for. Those in no place are dropped.
struct ColumnRoles {
  std::optional<Index> label = std::nullopt;
  std::vector<Index> other_labels = {};  ///< in the order in which they were asked for
  std::optional<Index> id = std::nullopt;
  std::vector<Index> features = {};
  std::vector<bool> is_kept = {};  ///< of each feature: whether it was asked for
  std::vector<Index> texts = {};   ///< that will become features when they are encoded
  std::vector<Note> notes = {};    ///< what was decided without being asked
};

/// Names that make a column the labels unless options say otherwise, the first one found first.
const std::vector<std::string>& default_label_names();

/// The column that `wanted` names, or numbers from 0 if no column has that name.
/// @throws InvalidArgument naming the file, what the column was wanted for, and what is near
Index find_column(const std::string& file, std::string_view role, const std::string& wanted,
                  const std::vector<std::string>& names);

/// @param has_names whether the names come from the file: only then a name can mark the labels
/// @throws InvalidArgument for an unknown column, DataError if no feature is left
ColumnRoles assign_roles(const std::string& file, const std::vector<std::string>& names,
                         bool has_names, const ReadOptions& options);

/// All columns of labels.
std::vector<Index> label_columns(const ColumnRoles& roles);

/// Moves the columns of a table of numbers where they belong, and drops those in no place.
void apply_roles(Table& table, const ColumnRoles& roles);

/// Keeps the given columns (ascending) of a table.
void keep_columns(OwnedTable& table, const std::vector<Index>& kept);

/// The values of a column as texts, as labels and ids are.
std::vector<std::string> column_texts(const OwnedTable& table, Index column);

/// "f0", "f1", ...: the names of columns that have none.
std::vector<std::string> numbered_names(Index count);

/// Makes float32 of doubles.
void store_single(Table& table);

/// Does to a table of numbers what the options ask: turns it, moves a column to the labels or ids,
/// drops columns, stores float32. Then sets ids apart (id_columns.hpp).
void apply_options(const std::string& file, Table& table, const ReadOptions& options);

}  // namespace tamis
