#include "tamis/core/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/counted.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// The largest absolute value of a table: squares of differences, and sums of very many of them,
/// stay finite. Every float32 is smaller.
constexpr double kLargestValue = 1e140;

/// Values of one kind that do not belong into a table: how many, and the first.
struct Offenders {
  Index count = 0;
  Index row = 0;
  Index column = 0;
  double value = 0.0;

  void see(Index i, Index r, double v) {
    if (count++ == 0) *this = {1, i, r, v};
  }
};

/// Missing values, and in how many rows and columns they are.
struct MissingPlaces {
  Offenders cells = {};
  Index rows = 0;
  Index last_row = -1;
  std::set<Index> columns = {};

  void see(Index i, Index r, double v) {
    cells.see(i, r, v);
    if (last_row != i) ++rows;
    last_row = i;
    columns.insert(r);
  }
};

struct BadValues {
  MissingPlaces missing = {};
  Offenders not_finite = {};
  Offenders too_large = {};

  void see(Index i, Index r, double v) {
    if (std::isnan(v))
      missing.see(i, r, v);
    else if (!std::isfinite(v))
      not_finite.see(i, r, v);
    else if (std::abs(v) > kLargestValue)
      too_large.see(i, r, v);
  }
};

template <class T>
BadValues find_bad_values(const DenseView<T>& x) {
  constexpr auto kLargest =
      static_cast<T>(std::min(kLargestValue, static_cast<double>(std::numeric_limits<T>::max())));
  BadValues found;
  for (Index i = 0; i < x.rows(); ++i) {
    int is_bad = 0;  // a loop without branches: it vectorises
    for (Index r = 0; r < x.cols(); ++r)
      is_bad |= static_cast<int>(!(std::abs(x(i, r)) <= kLargest));
    if (is_bad == 0) continue;
    for (Index r = 0; r < x.cols(); ++r) found.see(i, r, static_cast<double>(x(i, r)));
  }
  return found;
}

template <class T>
BadValues find_bad_values(const CsrView<T>& x) {
  BadValues found;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index s = 0; s < std::ssize(x.row_values(i)); ++s)
      found.see(i, x.row_columns(i)[s], static_cast<double>(x.row_values(i)[s]));
  return found;
}

void check_values(const Problem& problem) {
  const auto [missing, not_finite, too_large] =
      problem.matrix.visit([](const auto& x) { return find_bad_values(x); });
  const auto refuse = [&](const Offenders& bad, const std::string& kind, std::string_view remedy) {
    throw DataError(fmt::format(
        "the table has {} value{} that {} {}; the first is {} in row {}, "
        "column {}: {}",
        bad.count, bad.count == 1 ? "" : "s", bad.count == 1 ? "is" : "are", kind, bad.value,
        row_name(problem.known, bad.row), column_name(problem, bad.column), remedy));
  };
  if (missing.cells.count > 0)
    throw DataError(
        fmt::format("the table has {} in {} and {}; the first is in row {}, column {}",
                    counted(missing.cells.count, "missing value"), counted(missing.rows, "row"),
                    counted(std::ssize(missing.columns), "column"),
                    row_name(problem.known, missing.cells.row),
                    column_name(problem, missing.cells.column)),
        {Remedy::Action::treat_missing});
  if (not_finite.count > 0)
    refuse(not_finite, "not finite",
           not_finite.count == 1 ? "remove or impute it first" : "remove or impute them first");
  if (too_large.count > 0)
    refuse(too_large, fmt::format("beyond {:g}, too large to be squared", kLargestValue),
           "divide the column by a power of ten, or impute what stands for a missing value");
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
  check_rows(problem);
}

void check_rows(const Problem& problem) {
  if (problem.rows() < 1) throw DataError("the table has no rows");
  if (problem.cols() < 1) throw DataError("the table has no feature columns");
  if (!problem.feature_names.empty() && std::ssize(problem.feature_names) != problem.cols())
    throw DataError(fmt::format("there are {} feature names for {} columns",
                                problem.feature_names.size(), problem.cols()));
  check_knowledge(problem.known, problem.rows());
  check_values(problem);
}

}  // namespace tamis
