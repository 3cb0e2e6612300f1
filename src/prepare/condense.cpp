#include "prepare/condense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "clustering/som/som.hpp"
#include "constraints/constraint_set.hpp"
#include "prepare/subproblem.hpp"

namespace tamis {
namespace {

constexpr Index kFewestRows = 4;

void note_map(const Som& som, Diagnostics& diagnostics) {
  diagnostics.warnings.insert(diagnostics.warnings.end(), som.warnings.begin(), som.warnings.end());
  diagnostics.figures.emplace_back("map_rows", static_cast<double>(som.sheet_rows));
  diagnostics.figures.emplace_back("map_cols", static_cast<double>(som.sheet_cols));
  diagnostics.figures.emplace_back("quantization_error", som.quantization_error);
}

template <class T>
DenseTable<T> table_of(const MatrixView& x, std::span<const Index> kept, const Som& som) {
  const Index cols = x.cols();
  const Index n_kept = std::ssize(kept);
  DenseTable<T> table{.rows = n_kept + som.n_units(), .cols = cols};
  table.values.resize(table.rows * cols);
  copy_columns(x, kept, 0, cols, table.values.data());
  std::ranges::transform(som.codebook, table.values.begin() + n_kept * cols,
                         [](double value) { return static_cast<T>(value); });
  // Averages of a constant column may differ in the last bit: it must stay constant.
  const std::vector<bool> varies = varying_columns(x);
  for (Index r = 0; r < cols; ++r) {
    if (varies[r]) continue;
    T constant{};
    copy_columns(x, std::array<Index, 1>{0}, r, 1, &constant);
    for (Index z = 0; z < som.n_units(); ++z) table.values[(n_kept + z) * cols + r] = constant;
  }
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

}  // namespace

std::optional<OwnedProblem> condense(const Problem& problem, const CondenseOptions& options,
                                     const Run& run, Diagnostics& diagnostics) {
  if (options.condense == Condense::none) return std::nullopt;
  const ConstraintSet checked(problem.known, problem.rows());
  const std::vector<Index> kept = known_rows(problem.known);
  const std::vector<Index> replaced = all_but(kept, problem.rows());
  if (std::ssize(replaced) < kFewestRows) {
    diagnostics.warnings.push_back(
        fmt::format("nothing was condensed: {} of {} rows have neither label nor pair, and a map "
                    "needs {}",
                    replaced.size(), problem.rows(), kFewestRows));
    return std::nullopt;
  }
  const Som som = train_som(problem.matrix, replaced, options.som, run.progress);
  note_map(som, diagnostics);
  OwnedTable table = problem.matrix.is_single()
                         ? OwnedTable(table_of<float>(problem.matrix, kept, som))
                         : OwnedTable(table_of<double>(problem.matrix, kept, som));
  return OwnedProblem(std::move(table), problem.feature_names,
                      known_with_units(problem.known, kept, som.n_units()));
}

}  // namespace tamis
