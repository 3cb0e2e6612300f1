#include "prepare/condense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "constraints/constraint_set.hpp"
#include "prepare/condensed_problem.hpp"
#include "prepare/subproblem.hpp"

namespace tamis {
namespace {

template <class T>
DenseTable<T> table_of(const MatrixView& x, std::span<const Index> kept, const Som& som,
                       std::span<const double> constants) {
  const Index cols = x.cols();
  const Index n_kept = std::ssize(kept);
  DenseTable<T> table{.rows = n_kept + som.n_units(), .cols = cols};
  table.values.resize(table.rows * cols);
  copy_columns(x, kept, 0, cols, table.values.data());
  std::ranges::transform(som.codebook, table.values.begin() + n_kept * cols,
                         [](double value) { return static_cast<T>(value); });
  // Averages of a constant column may differ in the last bit: it must stay constant.
  for (Index r = 0; r < cols; ++r)
    if (!std::isnan(constants[r]))
      for (Index z = 0; z < som.n_units(); ++z)
        table.values[(n_kept + z) * cols + r] = static_cast<T>(constants[r]);
  return table;
}

/// Of the units nothing is known but that they are units.
Knowledge known_with_units(const Knowledge& known, std::span<const Index> kept, Index n_units) {
  Knowledge result = known_about(known, kept);
  if (!result.sample_ids.empty())
    for (Index z = 0; z < n_units; ++z) result.sample_ids.push_back(fmt::format("unit {}", z));
  result.labels.resize(kept.size() + n_units, kUnlabeled);
  return result;
}

/// The value of each constant column; NaN of the others.
std::vector<double> constants_of(const MatrixView& x) {
  std::vector<double> constants(static_cast<std::size_t>(x.cols()));
  copy_columns(x, std::array<Index, 1>{0}, 0, x.cols(), constants.data());
  const std::vector<bool> varies = varying_columns(x);
  for (Index r = 0; r < x.cols(); ++r)
    if (varies[r]) constants[r] = std::numeric_limits<double>::quiet_NaN();
  return constants;
}

}  // namespace

void note_map(const Som& som, Diagnostics& diagnostics) {
  diagnostics.warnings.insert(diagnostics.warnings.end(), som.warnings.begin(), som.warnings.end());
  diagnostics.figures.emplace_back("map_rows", static_cast<double>(som.sheet_rows));
  diagnostics.figures.emplace_back("map_cols", static_cast<double>(som.sheet_cols));
  diagnostics.figures.emplace_back("quantization_error", som.quantization_error);
}

OwnedProblem with_map(const Problem& problem, std::span<const Index> kept, const Som& som,
                      std::span<const double> constants) {
  const MatrixView& x = problem.matrix;
  OwnedTable table = x.is_single() ? OwnedTable(table_of<float>(x, kept, som, constants))
                                   : OwnedTable(table_of<double>(x, kept, som, constants));
  return OwnedProblem(std::move(table), problem.feature_names,
                      known_with_units(problem.known, kept, som.n_units()), problem.feature_groups);
}

CondensedProblem condensed_problem(const Problem& problem, const SomOptions& options,
                                   const Progress& progress) {
  const ConstraintSet checked(problem.known, problem.rows());
  const std::vector<Index> kept = known_rows(problem.known);
  Som som = train_som(problem.matrix, all_but(kept, problem.rows()), options, progress);
  OwnedProblem small = with_map(problem, kept, som, constants_of(problem.matrix));
  return {std::move(small), std::move(som)};
}

std::optional<OwnedProblem> condense(const Problem& problem, const CondenseOptions& options,
                                     const Run& run, Diagnostics& diagnostics) {
  if (options.condense == Condense::none) return std::nullopt;
  const ConstraintSet checked(problem.known, problem.rows());
  const Index n_replaced = problem.rows() - std::ssize(known_rows(problem.known));
  if (n_replaced < kFewestRowsOfAMap) {
    diagnostics.warnings.push_back(
        fmt::format("nothing was condensed: {} of {} rows have neither label nor pair, and a map "
                    "needs {}",
                    n_replaced, problem.rows(), kFewestRowsOfAMap));
    return std::nullopt;
  }
  CondensedProblem condensed = condensed_problem(problem, options.som, run.progress);
  note_map(condensed.som, diagnostics);
  return std::move(condensed.problem);
}

}  // namespace tamis
