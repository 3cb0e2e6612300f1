#include "tamis/core/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

struct NotFinite {
  Index count = 0;
  Index row = 0;
  Index column = 0;
  double value = 0.0;

  void see(Index i, Index r, double v) {
    if (std::isfinite(v)) return;
    if (count++ == 0) *this = {1, i, r, v};
  }
};

template <class T>
NotFinite find_not_finite(const DenseView<T>& x) {
  NotFinite found;
  for (Index i = 0; i < x.rows(); ++i) {
    // x - x is 0 for a finite x and NaN otherwise; this sum is the loop that vectorises.
    T poison = 0;
    for (Index r = 0; r < x.cols(); ++r) poison += x(i, r) - x(i, r);
    if (poison == 0) continue;
    for (Index r = 0; r < x.cols(); ++r) found.see(i, r, static_cast<double>(x(i, r)));
  }
  return found;
}

template <class T>
NotFinite find_not_finite(const CsrView<T>& x) {
  NotFinite found;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index s = 0; s < std::ssize(x.row_values(i)); ++s)
      found.see(i, x.row_columns(i)[s], static_cast<double>(x.row_values(i)[s]));
  return found;
}

void check_finite(const Problem& problem) {
  const NotFinite bad = problem.matrix.visit([](const auto& x) { return find_not_finite(x); });
  if (bad.count == 0) return;
  throw DataError(
      fmt::format("the table has {} value{} that {} not finite; the first is {} in row {}, column "
                  "{}: remove or "
                  "impute {} first",
                  bad.count, bad.count == 1 ? "" : "s", bad.count == 1 ? "is" : "are", bad.value,
                  row_name(problem, bad.row), column_name(problem, bad.column),
                  bad.count == 1 ? "it" : "them"));
}

void check_length(std::string_view what, std::size_t length, std::string_view of, Index wanted) {
  if (length != 0 && static_cast<Index>(length) != wanted)
    throw DataError(fmt::format("there are {} {} for {} {}", length, what, wanted, of));
}

void check_pairs(const Problem& problem, const std::vector<RowPair>& pairs) {
  for (const RowPair& pair : pairs) {
    for (const Index row : {pair.first, pair.second})
      if (row < 0 || row >= problem.rows())
        throw DataError(fmt::format("a pair names row {}, but the table has rows 0 to {}", row,
                                    problem.rows() - 1));
    if (pair.first == pair.second)
      throw DataError(fmt::format("row {} is paired with itself: remove that pair",
                                  row_name(problem, pair.first)));
  }
}

}  // namespace

std::vector<Index> labeled_rows(const Problem& problem) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.rows(); ++i)
    if (problem.label(i) != kUnlabeled) rows.push_back(i);
  return rows;
}

std::vector<Index> unlabeled_rows(const Problem& problem) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.rows(); ++i)
    if (problem.label(i) == kUnlabeled) rows.push_back(i);
  return rows;
}

std::vector<std::vector<Index>> rows_by_class(const Problem& problem) {
  std::map<Index, std::vector<Index>> by_label;
  for (const Index i : labeled_rows(problem)) by_label[problem.label(i)].push_back(i);
  std::vector<std::vector<Index>> classes;
  for (auto& [label, rows] : by_label) classes.push_back(std::move(rows));
  return classes;
}

std::string row_name(const Problem& problem, Index row) {
  return problem.sample_ids.empty() ? std::to_string(row)
                                    : fmt::format("{} ({})", row, problem.sample_ids[row]);
}

std::string column_name(const Problem& problem, Index column) {
  return problem.feature_names.empty()
             ? std::to_string(column)
             : fmt::format("{} ({})", column, problem.feature_names[column]);
}

void check_problem(const Problem& problem) {
  if (problem.rows() < 2)
    throw DataError(fmt::format("the table has {} row{}; at least 2 are needed to compare anything",
                                problem.rows(), problem.rows() == 1 ? "" : "s"));
  if (problem.cols() < 1) throw DataError("the table has no feature columns");
  check_length("feature names", problem.feature_names.size(), "columns", problem.cols());
  check_length("sample ids", problem.sample_ids.size(), "rows", problem.rows());
  check_length("labels", problem.labels.size(), "rows", problem.rows());
  const auto bad_label =
      std::ranges::find_if(problem.labels, [](Index y) { return y < kUnlabeled; });
  if (bad_label != problem.labels.end())
    throw DataError(fmt::format("label {} of row {} is negative; unlabeled rows have -1",
                                *bad_label, row_name(problem, bad_label - problem.labels.begin())));
  if (problem.pairs) {
    check_pairs(problem, problem.pairs->must_link);
    check_pairs(problem, problem.pairs->cannot_link);
  }
  check_finite(problem);
}

}  // namespace tamis
