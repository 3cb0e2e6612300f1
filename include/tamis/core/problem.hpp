#pragma once

#include <string>
#include <vector>

#include "tamis/core/knowledge.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// What goes into a method: a table, and what is known about its rows.
struct Problem {
  MatrixView matrix;
  std::vector<std::string> feature_names = {};  ///< one per column, or empty: columns have numbers
  Knowledge known = {};
  /// Columns that stand together for one feature, such as the categories of a text: one number per
  /// column, which those of a group share. Empty: every column stands for itself.
  std::vector<Index> feature_groups = {};

  Index rows() const { return matrix.rows(); }
  Index cols() const { return matrix.cols(); }
};

/// Rows that have no label, ascending.
std::vector<Index> unlabeled_rows(const Problem& problem);

/// How messages call a column: its name, or its 0-based number.
std::string column_name(const Problem& problem, Index column);
std::string column_name(const std::vector<std::string>& feature_names, Index column);

/// @throws DataError if the table is empty, holds a value that is not finite or too large to be
/// squared (beyond 1e140), or names, ids, labels, target values or pairs do not fit it; the message
/// names the first offending place. Every entry point of the program and of the bindings calls it
/// once; methods rely on it.
void check_problem(const Problem& problem);

/// The parts of it that concern no value. @throws DataError
void check_row_count(Index rows);
void check_shape(Index rows, Index cols, const std::vector<std::string>& feature_names);
/// Of a sparse table, which methods may turn.
void check_sparse_lines(Index rows, Index cols);

/// The same of rows to which something is applied that was learned from others: one is enough.
void check_rows(const Problem& problem);

}  // namespace tamis
