#include "tamis/core/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
                  row_name(problem.known, bad.row), column_name(problem, bad.column),
                  bad.count == 1 ? "it" : "them"));
}

}  // namespace

std::vector<Index> unlabeled_rows(const Problem& problem) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.rows(); ++i)
    if (problem.known.label(i) == kUnlabeled) rows.push_back(i);
  return rows;
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
  if (!problem.feature_names.empty() && std::ssize(problem.feature_names) != problem.cols())
    throw DataError(fmt::format("there are {} feature names for {} columns",
                                problem.feature_names.size(), problem.cols()));
  check_knowledge(problem.known, problem.rows());
  check_finite(problem);
}

}  // namespace tamis
