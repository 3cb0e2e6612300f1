#include "tamis/methods/spfs.hpp"

#include <algorithm>
#include <memory>

#include "core/ties.hpp"
#include "graphs/heat_kernel.hpp"
#include "learners/svm_dual.hpp"
#include "methods/preconditions.hpp"
#include "methods/spfs/forward_selection.hpp"
#include "methods/spfs/group_lasso.hpp"
#include "methods/spfs/least_angle.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr Index kRbfTargets = 10;

/// The rows that count, and which columns vary on them.
struct View {
  std::vector<Index> rows;
  std::vector<Index> columns;
};

View checked_view(const Problem& problem, const SpfsOptions& options) {
  const bool has_classes = options.similarity == SpfsSimilarity::classes;
  if (has_classes) check_needs(options.info, problem);
  rankable_columns(options.info, problem);
  if (!has_classes) check_kernel_rows(options.info.name, "rows", problem.rows());
  View view{has_classes ? labeled_rows(problem.known) : all_indices(problem.rows()), {}};
  view.columns = marked_columns(varying_columns(problem.matrix, view.rows));
  if (view.columns.empty()) throw DataError(constant_on_labeled_rows(options.info));
  return view;
}

std::unique_ptr<RowSimilarity> similarity_of(const Problem& problem, const SpfsOptions& options) {
  if (options.similarity == SpfsSimilarity::classes)
    return std::make_unique<ClassSimilarity>(problem.known);
  return std::make_unique<RbfSimilarity>(problem.matrix,
                                         options.bandwidth * mean_squared_distance(problem.matrix));
}

Ranking rank_chosen(ChosenColumns chosen, std::span<const Index> columns, Index cols) {
  for (Index& feature : chosen.path.features) feature = columns[feature];
  std::vector<double> criteria = spread_out(chosen.criteria, columns, cols);
  level_ties(criteria, Better::higher);
  return rank_path(std::move(chosen.path), criteria, Better::higher, {},
                   constant_on_labeled_rows(SpfsOptions::info));
}

/// The penalty that leaves about as many columns as are wanted, by bisection.
GroupLasso with_about(Index wanted, const StandardColumns& columns, const Targets& targets,
                      const Progress& progress) {
  constexpr int kMostSteps = 10;
  const double largest = largest_lambda(columns, targets);
  Progress::Stage stage(progress, "choosing the penalty", kMostSteps);
  double low = 0.0;
  double high = 1.0;
  GroupLasso found;
  for (int step = 0; step < kMostSteps; ++step) {
    const double share = 0.5 * (low + high);
    found = group_lasso(columns, targets, share * largest, std::move(found.weights));
    stage.advance();
    const Index excess = found.n_nonzero() - wanted;
    if (10 * std::abs(excess) <= wanted) break;
    (excess > 0 ? low : high) = share;
  }
  return found;
}

Ranking rank_by_lasso(const GroupLasso& found, std::span<const Index> columns, Index cols) {
  std::vector<double> scores = found.norms;
  for (std::size_t s = 0; s < scores.size(); ++s)
    if (scores[s] == 0.0) scores[s] = std::min(found.left[s] / found.lambda - 1.0, 0.0);
  Diagnostics diagnostics{
      .converged = found.converged,
      .iterations = static_cast<int>(found.iterations),
      .figures = {{"lambda", found.lambda}, {"objective", found.objective}, {"gap", found.gap}}};
  return rank_features(spread_out(scores, columns, cols), Better::higher, std::move(diagnostics),
                       constant_on_labeled_rows(SpfsOptions::info));
}

}  // namespace

Ranking spfs(const Problem& problem, const SpfsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  const View view = checked_view(problem, options);
  const StandardColumns columns(problem.matrix, view.rows, view.columns,
                                StandardColumns::Size::unit_length);
  const auto similarity = similarity_of(problem, options);
  if (options.solver == SpfsSolver::sfs)
    return rank_chosen(forward_selection(columns, *similarity, options.max_features, run.progress),
                       view.columns, problem.cols());
  const bool has_classes = options.similarity == SpfsSimilarity::classes;
  const Targets targets =
      similarity->targets(options.n_targets.value_or(has_classes ? columns.rows() : kRbfTargets));
  if (options.solver == SpfsSolver::lar)
    return rank_chosen(least_angle(columns, targets, options.max_features, run.progress),
                       view.columns, problem.cols());
  const Index wanted = options.n_features.value_or(std::min<Index>(50, (columns.cols() + 1) / 2));
  const GroupLasso found =
      options.regularization
          ? group_lasso(columns, targets,
                        *options.regularization * largest_lambda(columns, targets))
          : with_about(wanted, columns, targets, run.progress);
  return rank_by_lasso(found, view.columns, problem.cols());
}

}  // namespace tamis
