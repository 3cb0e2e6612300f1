#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/columns.hpp"
#include "io/number_style.hpp"
#include "tamis/core/remedy.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Rows of cells, which are numbers and texts, before it is decided what the columns are.
struct Sheet {
  std::string file;
  std::vector<std::string> names = {};  ///< one per column
  bool has_header = false;
  bool has_unnamed_first = false;   ///< the header begins with an empty name, or lacks one
  std::vector<Index> unnamed = {};  ///< columns to which the header gives no name
  NumberStyle style = {};
  std::vector<Note> notes = {};  ///< what was decided without being asked

  /// Takes a cell and returns whether more are wanted.
  using Visit = std::function<bool(Index row, Index column, std::string_view text)>;

  Sheet() = default;
  Sheet(const Sheet&) = delete;
  Sheet& operator=(const Sheet&) = delete;
  virtual ~Sheet() = default;

  virtual Index rows() const = 0;
  Index columns() const { return std::ssize(names); }
  virtual std::vector<std::string> cells(Index row) const = 0;
  /// Of the file, from 1.
  virtual Index line(Index row) const = 0;
  std::string place(Index row) const;
  /// Shows the cells of the given columns as they are written, each column from its first row to
  /// its last. After parse() those of features may be gone.
  virtual void visit(const std::vector<Index>& wanted, const Visit& visit) const = 0;
  /// Reads the features as numbers, and what else has a place in the table as texts. Moves columns
  /// of texts from the features to `roles.texts`.
  /// @throws DataError for texts among the numbers unless `options` say how to encode them, and for
  /// a row with too few or too many cells
  virtual void parse(ColumnRoles& roles, const ReadOptions& options, Table& table) = 0;
  /// What stands in a feature that became ids, if the sheet knows better than the table.
  virtual std::optional<std::vector<std::string>> texts_of_feature(Index column) const = 0;
};

/// Whether a cell is neither a number of some style, nor missing, true or false.
bool reads_as_text(const std::string& cell);

/// Whether a first row names columns: a cell that would be a feature is neither a number nor
/// missing.
bool looks_like_header(const std::vector<std::string>& cells, const ReadOptions& options);

/// Takes the cells of the first row as names of so many columns. One less than there are columns
/// leave the first without a name.
void take_names(Sheet& sheet, std::vector<std::string> cells, Index columns);

/// Says which columns hold true and false.
void note_truths(Sheet& sheet, const ColumnRoles& roles, const std::vector<Index>& features);

/// Takes columns of texts out of the features. @throws DataError unless they are to be encoded
void set_texts_apart(const Sheet& sheet, Encode encode, ColumnRoles& roles);

/// Decides what the columns are for, and makes a table of them.
/// @throws DataError naming file, line and column: a cell that is not a number, a row with too few
/// or too many cells, no feature
Table table_of(Sheet& sheet, const ReadOptions& options);

}  // namespace tamis
