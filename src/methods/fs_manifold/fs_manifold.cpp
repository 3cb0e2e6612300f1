#include "tamis/methods/fs_manifold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ties.hpp"
#include "learners/svm_dual.hpp"
#include "methods/fs_manifold/capped_weights.hpp"
#include "methods/fs_manifold/smooth_machine.hpp"
#include "methods/one_against_rest.hpp"
#include "methods/preconditions.hpp"
#include "prepare/scale.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kGap = 1e-3;        ///< relative
constexpr Index kSmallRows = 2'000;  ///< up to which tasks run at once: each holds n x n numbers

/// Where the descent of one task ended.
struct Optimum {
  std::vector<double> p;
  std::vector<double> gradient;
  double objective = 0.0;
  double gap = 0.0;
  Index iterations = 0;
  bool converged = false;
};

double largest_magnitude(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Projected gradient with steps that are doubled, and halved until J falls enough.
class Descent {
 public:
  Descent(const SmoothMachine& machine, Index cols, Index total)
      : machine_(machine),
        total_(total),
        p_(cols, static_cast<double>(total) / static_cast<double>(cols)),
        now_(machine.at(p_)) {}

  Optimum run(Index max_iter) {
    Optimum end;
    double step = 1.0 / largest_magnitude(now_.gradient);
    while (true) {
      end.gap = weight_gap(p_, now_.gradient, total_);
      end.converged = end.gap <= kGap * std::abs(now_.objective);
      if (end.converged || end.iterations == max_iter || !std::isfinite(step)) break;
      if (!descend(step)) break;  // as far as rounding lets it: the gap tells how far that is
      step *= 2.0;
      ++end.iterations;
    }
    end.p = std::move(p_);
    end.gradient = std::move(now_.gradient);
    end.objective = now_.objective;
    return end;
  }

 private:
  /// Halves the step until it lowers J; false if none does.
  bool descend(double& step) {
    constexpr double kEnough = 1e-4;
    constexpr int kHalvings = 60;
    for (int halving = 0; halving < kHalvings; ++halving, step *= 0.5) {
      std::vector<double> next = p_;
      for (std::size_t r = 0; r < next.size(); ++r) next[r] -= step * now_.gradient[r];
      next = capped_weights(next, total_);
      double slope = 0.0;
      for (std::size_t r = 0; r < next.size(); ++r) slope += now_.gradient[r] * (next[r] - p_[r]);
      if (slope == 0.0) return false;
      SmoothMachine::Value there = machine_.at(next, now_.alpha);
      if (there.objective > now_.objective - kEnough * std::abs(slope)) continue;
      p_ = std::move(next);
      now_ = std::move(there);
      return true;
    }
    return false;
  }

  const SmoothMachine& machine_;
  Index total_;
  std::vector<double> p_;
  SmoothMachine::Value now_;
};

ManifoldRows manifold_rows(const Problem& problem, std::span<const Index> columns,
                           Index n_neighbors, const Run& run, Diagnostics& diagnostics) {
  const std::vector<Index> rows = all_indices(problem.rows());
  const Scaling scaling = fit_scaling(problem.matrix, rows, ScalingKind::standard);
  ManifoldRows x{.rows = problem.rows(),
                 .cols = std::ssize(columns),
                 .values = scaled_columns(problem.matrix, rows, columns, scaling),
                 .labeled = labeled_rows(problem.known),
                 .neighbors = std::vector<std::vector<Index>>(problem.rows())};
  const Graph graph = neighbor_graph(DenseView(x.values.data(), x.rows, x.cols),
                                     {.n_neighbors = n_neighbors}, {}, run.progress, diagnostics);
  for (const RowPair& edge : graph.edges) {
    x.neighbors[edge.first].push_back(edge.second);
    x.neighbors[edge.second].push_back(edge.first);
  }
  diagnostics.edges = std::ssize(graph.edges);
  return x;
}

std::vector<Optimum> solve_tasks(const ManifoldRows& x, std::span<const OneAgainstRest> tasks,
                                 Index total, const FsManifoldOptions& options, const Run& run) {
  std::vector<Optimum> found(tasks.size());
  Progress::Stage stage(run.progress, "weights of features", std::ssize(tasks));
  parallel_for(std::ssize(tasks), x.rows <= kSmallRows ? 1 : std::ssize(tasks),
               [&](Index begin, Index end) {
                 for (Index t = begin; t < end; ++t) {
                   const SmoothMachine machine(x, tasks[t].signs, options.cost, options.smoothness);
                   found[t] = Descent(machine, x.cols, total).run(options.max_iter);
                   stage.advance();
                 }
               });
  return found;
}

void record(const Trace& trace, const std::string& name, const Optimum& found,
            std::span<const Index> columns, Index cols) {
  if (!trace.is_wanted()) return;
  trace.record(TraceEvent{"task"}
                   .with("class", name)
                   .with("p", spread_out(found.p, columns, cols))
                   .with("objective", found.objective)
                   .with("gap", found.gap)
                   .with("iterations", found.iterations));
}

/// The weights that are to sum up to: as many as asked for, or as columns vary.
Index total_weight(const FsManifoldOptions& options, Index varying, Diagnostics& diagnostics) {
  const Index wanted = options.n_features.value_or(std::min<Index>(50, (varying + 1) / 2));
  if (wanted > varying)
    diagnostics.warnings.push_back(
        fmt::format("n_features = {} is cut to the {} columns that vary", wanted, varying));
  return std::min(wanted, varying);
}

}  // namespace

Ranking fs_manifold(const Problem& problem, const FsManifoldOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, problem);
  check_kernel_rows(options.info.name, "rows", problem.rows());
  const std::vector<Index> columns = marked_columns(rankable_columns(options.info, problem));
  Diagnostics diagnostics;
  const Index total = total_weight(options, std::ssize(columns), diagnostics);
  const ManifoldRows x = manifold_rows(problem, columns, options.n_neighbors, run, diagnostics);
  const std::vector<OneAgainstRest> tasks = one_against_rest(problem.known);
  const std::vector<Optimum> found = solve_tasks(x, tasks, total, options, run);
  std::vector<double> scores(columns.size(), 0.0);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    record(run.trace, class_name(problem.known, tasks[t].label), found[t], columns, problem.cols());
    const double largest = largest_magnitude(found[t].gradient);
    for (std::size_t s = 0; s < scores.size(); ++s)
      scores[s] += (found[t].p[s] + (largest > 0.0 ? -found[t].gradient[s] / largest : 0.0)) /
                   static_cast<double>(tasks.size());
    diagnostics.converged = diagnostics.converged && found[t].converged;
    diagnostics.iterations =
        std::max(diagnostics.iterations, static_cast<int>(found[t].iterations));
  }
  level_ties(scores, Better::higher);
  return rank_features(spread_out(scores, columns, problem.cols()), Better::higher,
                       std::move(diagnostics), "fs_manifold: every column is constant");
}

}  // namespace tamis
