#include "tamis/core/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/bad_values.hpp"
#include "tamis/core/error.hpp"

namespace tamis {

std::vector<Index> unlabeled_rows(const Problem& problem) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.rows(); ++i)
    if (problem.known.label(i) == kUnlabeled) rows.push_back(i);
  return rows;
}

std::string column_name(const std::vector<std::string>& feature_names, Index column) {
  return feature_names.empty() ? std::to_string(column)
                               : fmt::format("{} ({})", column, feature_names[column]);
}

std::string column_name(const Problem& problem, Index column) {
  return column_name(problem.feature_names, column);
}

void check_row_count(Index rows) {
  if (rows < 2)
    throw DataError(fmt::format("the table has {} row{}; at least 2 are needed to compare anything",
                                rows, rows == 1 ? "" : "s"));
}

void check_shape(Index rows, Index cols, const std::vector<std::string>& feature_names) {
  if (rows < 1) throw DataError("the table has no rows");
  if (cols < 1) throw DataError("the table has no feature columns");
  if (!feature_names.empty() && std::ssize(feature_names) != cols)
    throw DataError(
        fmt::format("there are {} feature names for {} columns", feature_names.size(), cols));
}

void check_sparse_lines(Index rows, Index cols) {
  if (std::max(rows, cols) > kMostSparseLines)
    throw DataError(
        fmt::format("the table has {} rows and {} columns; a sparse table has at most {} of each",
                    rows, cols, kMostSparseLines));
}

void check_problem(const Problem& problem) {
  check_row_count(problem.rows());
  check_rows(problem);
}

void check_rows(const Problem& problem) {
  check_shape(problem.rows(), problem.cols(), problem.feature_names);
  if (!problem.feature_groups.empty() && std::ssize(problem.feature_groups) != problem.cols())
    throw DataError(fmt::format("there are groups of {} features for {} columns",
                                problem.feature_groups.size(), problem.cols()));
  if (problem.matrix.is_sparse()) check_sparse_lines(problem.rows(), problem.cols());
  check_knowledge(problem.known, problem.rows());
  refuse_bad_values(find_bad_values(problem.matrix), problem.known, problem.feature_names);
}

}  // namespace tamis
