#include "tamis/methods/arom_svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ties.hpp"
#include "learners/svm_dual.hpp"
#include "methods/one_against_rest.hpp"
#include "methods/preconditions.hpp"
#include "methods/standard_columns.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kTolerance = 1e-6;  ///< of the machines, and of z
constexpr double kLeastWeight = 1e-12;

/// Makes equal what differs by kTie (relative): what copies of a column differ by is rounding, and
/// each round would square it.
void level_copies(std::vector<double>& z) {
  std::vector<Index> order = all_indices(std::ssize(z));
  std::ranges::stable_sort(order, [&](Index a, Index b) { return z[a] > z[b]; });
  double first = z[order.front()];
  for (const Index r : order) {
    if (z[r] < first * (1.0 - kTie)) first = z[r];
    z[r] = first;
  }
}

/// Scales columns down, round by round.
class Rounds {
 public:
  Rounds(const StandardColumns& x, std::vector<OneAgainstRest> tasks, double cost, Index cols)
      : x_(x), tasks_(std::move(tasks)), cost_(cost), z_(cols, 1.0), scores_(cols, 1.0) {}

  /// false if no machine tells anything apart: z is what it was.
  bool next() {
    std::vector<double> next = weighted_by_machines();
    const double largest = std::ranges::max(next);
    if (!(largest > 0.0)) return false;
    level_copies(next);
    ++round_;
    change_ = 0.0;
    for (std::size_t r = 0; r < next.size(); ++r) {
      next[r] /= largest;
      if (next[r] < kLeastWeight) next[r] = 0.0;
      change_ = std::max(change_, std::abs(next[r] - z_[r]));
      if (next[r] > 0.0) scores_[r] = static_cast<double>(round_) + next[r];
    }
    z_ = std::move(next);
    return true;
  }

  Index round() const { return round_; }
  bool is_settled() const { return change_ < kTolerance; }
  bool are_machines_settled() const { return are_settled_; }
  const std::vector<double>& z() const { return z_; }
  /// T + z after round T, the last one after which z > 0.
  const std::vector<double>& scores() const { return scores_; }

 private:
  /// z o sum_c |w_c|; all 0 if what the machines find is rounding.
  std::vector<double> weighted_by_machines() {
    const Buffer<double> kernel = x_.kernel(z_);
    std::vector<SvmDual> machines(tasks_.size());
    parallel_for(std::ssize(tasks_), 1, [&](Index c, Index) {
      machines[c] = solve_svm_dual(kernel, tasks_[c].signs, cost_, kTolerance);
    });
    std::vector<double> sums(z_.size(), 0.0);
    double total = 0.0;
    for (std::size_t c = 0; c < machines.size(); ++c) {
      are_settled_ = are_settled_ && machines[c].converged;
      std::vector<double>& beta = machines[c].alpha;
      total += std::accumulate(beta.begin(), beta.end(), 0.0);
      for (std::size_t i = 0; i < beta.size(); ++i) beta[i] *= tasks_[c].signs[i];
      const std::vector<double> combined = x_.combined(beta);
      for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += std::abs(z_[r] * combined[r]);
    }
    if (std::ranges::max(sums) <= kLeastWeight * total) std::ranges::fill(sums, 0.0);
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r] *= z_[r];
    return sums;
  }

  const StandardColumns& x_;
  std::vector<OneAgainstRest> tasks_;
  double cost_;
  std::vector<double> z_;
  std::vector<double> scores_;
  Index round_ = 0;
  double change_ = HUGE_VAL;
  bool are_settled_ = true;
};

std::vector<Index> varying_indices(const Problem& problem, std::span<const Index> labeled) {
  std::vector<Index> columns = marked_columns(varying_columns(problem.matrix, labeled));
  if (columns.empty()) throw DataError(constant_on_labeled_rows(AromSvmOptions::info));
  return columns;
}

}  // namespace

Ranking arom_svm(const Problem& problem, const AromSvmOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  const std::vector<Index> labeled = labeled_rows(problem.known);
  check_kernel_rows(options.info.name, "labeled rows", std::ssize(labeled));
  const std::vector<Index> columns = varying_indices(problem, labeled);
  const StandardColumns x(problem.matrix, labeled, columns);
  Rounds rounds(x, one_against_rest(problem.known), options.cost, std::ssize(columns));
  Progress::Stage stage(run.progress, "rounds of machines", options.n_rounds);
  while (rounds.round() < options.n_rounds && !rounds.is_settled() && rounds.next()) {
    if (run.trace.is_wanted())
      run.trace.record(TraceEvent{"round"}
                           .with("round", rounds.round())
                           .with("z", spread_out(rounds.z(), columns, problem.cols())));
    stage.advance();
  }
  if (rounds.round() == 0)
    throw DataError("arom_svm: no linear machine tells the classes apart by any column");
  Diagnostics diagnostics{.converged = rounds.is_settled() && rounds.are_machines_settled(),
                          .iterations = static_cast<int>(rounds.round())};
  std::vector<double> scores = spread_out(rounds.scores(), columns, problem.cols());
  level_ties(scores, Better::higher);
  return rank_features(std::move(scores), Better::higher, std::move(diagnostics),
                       constant_on_labeled_rows(options.info));
}

}  // namespace tamis
