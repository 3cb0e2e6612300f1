#include "clustering/weighted/fuzzy_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "clustering/links.hpp"
#include "clustering/weighted/dispersion_weights.hpp"
#include "clustering/weighted/simplex_memberships.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Memberships that settle within 1e-6 leave centroids and weights much nearer than this to where
/// they were: relative to the spread of a column, and to the weight.
constexpr double kNear = 1e-4;

/// The penalty in the unit of measured distances. Sums of costs must stay finite.
double penalty_in_unit(double penalty, double log_unit) {
  constexpr double kLargest = 1e280;
  const double in_unit = penalty > 0.0 ? penalty * std::exp(-log_unit) : 0.0;
  if (in_unit <= kLargest) return in_unit;
  throw DataError(fmt::format(
      "wckm: the values differ so little that penalty = {} outweighs every distance; multiply the "
      "table by a power of ten first",
      penalty));
}

/// Solves anew for rows at a distance near 0, without links.
void resolve_lanes(const double* distances, Index n_clusters, Index lanes, double* memberships) {
  SimplexMemberships solver(n_clusters);
  const std::vector<double> no_costs(n_clusters, 0.0);
  std::vector<double> d(n_clusters);
  std::vector<double> a(n_clusters);
  for (Index l = 0; l < lanes; ++l) {
    for (Index q = 0; q < n_clusters; ++q) d[q] = distances[q * lanes + l];
    if (std::ranges::min(d) >= kZeroDistance) continue;  // whatever its neighbours are
    solver.solve(d, no_costs, a);
    for (Index q = 0; q < n_clusters; ++q) memberships[q * lanes + l] = a[q];
  }
}

bool are_near(const ColumnUnits& units, const ClusterStart& a, const ClusterStart& b) {
  if (a.centroids.size() != b.centroids.size()) return false;  // there is nothing before the start
  for (Index s = 0; s < std::ssize(a.centroids); ++s)
    if (std::abs(a.centroids[s] - b.centroids[s]) * units.scale[s % units.cols()] > kNear)
      return false;
  for (Index r = 0; r < units.cols(); ++r)
    if (std::abs(a.weights[r] - b.weights[r]) > kNear * a.weights[r]) return false;
  return true;
}

/// Where distance and costs add up to the least, ties to the lower cluster.
void solve_hard(std::span<const double> distances, std::span<const double> costs,
                std::span<double> memberships) {
  Index best = 0;
  for (Index q = 0; q < std::ssize(distances); ++q) {
    memberships[q] = 0.0;
    if (distances[q] + costs[q] < distances[best] + costs[best]) best = q;
  }
  memberships[best] = 1.0;
}

template <class T>
void copy_free_memberships(const ClusterSetting& setting, const MembershipRecipe& recipe,
                           std::span<double> all) {
  const Index n_clusters = setting.n_clusters;
  const ScaledCenters<T> centers(setting.units, recipe.solved_for.centroids,
                                 recipe.solved_for.weights, setting.beta);
  for_each_group<T>(
      setting.problem.matrix, setting.free, setting.units, n_clusters,
      [&](RowGroup<T>& group, Index first, Index count) {
        group.measure(centers);
        free_memberships(recipe.kind, group.distances(), n_clusters, kLanes<T>,
                         group.memberships());
        std::vector<double> by_row(count * n_clusters);
        group.copy_by_row(group.memberships(), count, by_row.data());
        for (Index l = 0; l < count; ++l)
          std::copy_n(&by_row[l * n_clusters], n_clusters,
                      &all[setting.free[first + l] * n_clusters]);
      },
      [](RowGroup<T>&, Index) {});
}

}  // namespace

void free_memberships(Membership kind, const double* distances, Index n_clusters, Index lanes,
                      double* memberships) {
  if (kind == Membership::hard) {
    LaneNearest found;
    nearest_of_lanes(distances, n_clusters, lanes, found);
    std::fill_n(memberships, n_clusters * lanes, 0.0);
    for (Index l = 0; l < lanes; ++l) memberships[found.nearest[l] * lanes + l] = 1.0;
    return;
  }
  if (inverse_shares(distances, n_clusters, lanes, memberships) < kZeroDistance)
    resolve_lanes(distances, n_clusters, lanes, memberships);
}

double largest_difference(const double* a, const double* b, Index n_clusters, Index lanes,
                          Index count) {
  double largest = 0.0;
  for (Index q = 0; q < n_clusters; ++q)
    for (Index l = 0; l < count; ++l)
      largest = std::max(largest, std::abs(a[q * lanes + l] - b[q * lanes + l]));
  return largest;
}

FuzzyRun::FuzzyRun(const ClusterSetting& setting, Membership membership, double penalty,
                   ClusterStart start)
    : setting_(setting),
      penalty_(penalty),
      now_(std::move(start)),
      recipe_{.kind = membership},
      clusters_(setting.problem.rows(), kNoCluster),
      costs_(setting.links, setting.n_clusters) {}

void FuzzyRun::Changes::add(const Changes& more) {
  rows += more.rows;
  largest = std::max(largest, more.largest);
}

const ClusterStart* FuzzyRun::near_before() const {
  return are_near(setting_.units, recipe_.solved_for, now_) ? &recipe_.solved_for : nullptr;
}

FuzzyRun::Step FuzzyRun::step() {
  return step(setting_.problem.matrix.is_single() ? place_free_rows<float>()
                                                  : place_free_rows<double>());
}

FuzzyRun::Step FuzzyRun::step(FreeRows free) {
  Step step;
  Changes changes = free.changes;
  if (near_before() == nullptr) changes.largest = HUGE_VAL;
  recipe_.solved_for = now_;
  const DeviationSums parts[] = {std::move(free.sums), place_linked_rows(step, changes)};
  const double spread = update(total_of(parts, setting_.n_clusters, setting_.problem.cols()));
  const Violations broken = violations(setting_.links, clusters_);
  step.iteration = {.objective = spread + penalty_ * step.soft_violations,
                    .changed = changes.rows,
                    .must_link_violations = broken.must_link,
                    .cannot_link_violations = broken.cannot_link};
  step.largest_change = changes.largest;
  return step;
}

template <class T>
FuzzyRun::FreeRows FuzzyRun::place_free_rows() {
  const Index n_clusters = setting_.n_clusters;
  const ClusterStart* const before = near_before();
  const ScaledCenters<T> centers(setting_.units, now_.centroids, now_.weights, setting_.beta);
  const ClusterStart& old = before == nullptr ? now_ : *before;
  const ScaledCenters<T> old_centers(setting_.units, old.centroids, old.weights, setting_.beta);
  const RowTasks tasks(std::ssize(setting_.free), n_clusters);
  std::vector<DeviationSums> sums(tasks.count());
  std::vector<Changes> seen(tasks.count());
  for_each_group<T>(
      setting_.problem.matrix, setting_.free, setting_.units, n_clusters,
      [&](RowGroup<T>& group, Index first, Index count) {
        Changes& of_task = seen[first / tasks.grain()];
        group.measure(centers);
        free_memberships(recipe_.kind, group.distances(), n_clusters, kLanes<T>,
                         group.memberships());
        of_task.add(place_group(group, first, count));
        group.add_deviations(centers);
        if (before == nullptr) return;
        std::vector<double> earlier(n_clusters * kLanes<T>);
        group.measure(old_centers);
        free_memberships(recipe_.kind, group.distances(), n_clusters, kLanes<T>, earlier.data());
        of_task.add({0, largest_difference(earlier.data(), group.memberships(), n_clusters,
                                           kLanes<T>, count)});
      },
      [&](RowGroup<T>& group, Index task) { sums[task] = group.take_sums(); });
  FreeRows found{.sums = total_of(sums, n_clusters, setting_.problem.cols())};
  for (const Changes& of_task : seen) found.changes.add(of_task);
  return found;
}

template <class T>
FuzzyRun::Changes FuzzyRun::place_group(RowGroup<T>& group, Index first, Index count) {
  std::array<Index, kLanes<T>> best;
  square_memberships(group.memberships(), setting_.n_clusters, group.weights(), best.data());
  group.leave_out_lanes(count);
  Changes changes;
  for (Index l = 0; l < count; ++l) {
    Index& cluster = clusters_[setting_.free[first + l]];
    changes.rows += cluster == best[l] ? 0 : 1;
    cluster = best[l];
  }
  return changes;
}

DeviationSums FuzzyRun::place_linked_rows(Step& step, Changes& changes) {
  const Index n_clusters = setting_.n_clusters;
  const ScaledCenters<double> centers(setting_.units, now_.centroids, now_.weights, setting_.beta);
  // Always in double: each of these rows depends on the others.
  const std::vector<double> distances = row_distances(setting_, setting_.linked, centers);
  if (recipe_.linked.empty()) begin_sweeps(distances);
  sweep(distances, penalty_in_unit(penalty_, centers.log_unit()), step, changes);
  step.soft_violations = soft_violations();
  std::vector<DeviationSums> sums(RowTasks(std::ssize(setting_.linked), n_clusters).count());
  for_each_group<double>(
      setting_.problem.matrix, setting_.linked, setting_.units, n_clusters,
      [&](RowGroup<double>& group, Index first, Index count) {
        for (Index l = 0; l < count; ++l)
          for (Index q = 0; q < n_clusters; ++q)
            group.weights()[q * kLanes<double> + l] = std::pow(of_linked(first + l)[q], 2);
        group.leave_out_lanes(count);
        group.add_deviations(centers);
      },
      [&](RowGroup<double>& group, Index task) { sums[task] = group.take_sums(); });
  return total_of(sums, n_clusters, setting_.problem.cols());
}

/// The first sweep finds unconstrained memberships.
void FuzzyRun::begin_sweeps(std::span<const double> distances) {
  const Index n_clusters = setting_.n_clusters;
  recipe_.linked.resize(distances.size());
  for (Index s = 0; s < std::ssize(setting_.linked); ++s) {
    free_memberships(recipe_.kind, &distances[s * n_clusters], n_clusters, 1, of_linked(s).data());
    costs_.place(setting_.linked[s], of_linked(s));
  }
}

/// Gauss-Seidel: each row is solved for exactly, given the memberships that its partners have by
/// then, so that the objective never rises.
void FuzzyRun::sweep(std::span<const double> distances, double unit_penalty, Step& step,
                     Changes& changes) {
  const Index n_clusters = setting_.n_clusters;
  SimplexMemberships solver(n_clusters);
  std::vector<double> costs(n_clusters);
  std::vector<double> solved(n_clusters);
  for (Index s = 0; s < std::ssize(setting_.linked); ++s) {
    const Index row = setting_.linked[s];
    const std::span<const double> d = distances.subspan(s * n_clusters, n_clusters);
    costs_.remove(row, of_linked(s));
    costs_.costs(row, costs);
    for (double& cost : costs) cost *= unit_penalty;
    if (recipe_.kind == Membership::hard)
      solve_hard(d, costs, solved);
    else
      solver.solve(d, costs, solved);
    costs_.place(row, solved);
    const Index cluster = std::ranges::max_element(solved) - solved.begin();
    Changes of_row{.rows = clusters_[row] == cluster ? 0 : 1};
    for (Index q = 0; q < n_clusters; ++q)
      of_row.largest = std::max(of_row.largest, std::abs(solved[q] - of_linked(s)[q]));
    changes.add(of_row);
    std::ranges::copy(solved, of_linked(s).begin());
    clusters_[row] = cluster;
    step.moved_by_links += std::ranges::min_element(d) - d.begin() == cluster ? 0 : 1;
  }
}

/// Each pair once: a row and those before it. Also adds the totals up anew, as those of the sweep
/// gather rounding.
double FuzzyRun::soft_violations() {
  costs_.clear();
  std::vector<double> costs(setting_.n_clusters);
  double sum = 0.0;
  for (Index s = 0; s < std::ssize(setting_.linked); ++s) {
    costs_.costs(setting_.linked[s], costs);
    for (Index q = 0; q < setting_.n_clusters; ++q) sum += of_linked(s)[q] * costs[q];
    costs_.place(setting_.linked[s], of_linked(s));
  }
  return sum;
}

double FuzzyRun::update(const DeviationSums& sums) {
  const Index cols = setting_.problem.cols();
  std::vector<double> dispersion = sums.second;
  for (Index q = 0; q < setting_.n_clusters; ++q) {
    if (sums.mass[q] == 0.0) continue;
    for (Index r = 0; r < cols; ++r) {
      const double step = sums.first[q * cols + r] / sums.mass[q];  // eq. 4.9
      now_.centroids[q * cols + r] += step / setting_.units.scale[r];
      dispersion[r] -= sums.first[q * cols + r] * step;
    }
  }
  std::vector<double> logs(cols, -HUGE_VAL);
  for (Index r = 0; r < cols; ++r)
    if (setting_.units.varies[r] && dispersion[r] > 0.0)
      logs[r] = std::log(dispersion[r]) - 2.0 * std::log(setting_.units.scale[r]);
  if (setting_.learns_weights) now_.weights = dispersion_weights(logs, setting_.beta);
  double objective = 0.0;
  for (Index r = 0; r < cols; ++r)
    if (now_.weights[r] > 0.0 && logs[r] != -HUGE_VAL)
      objective += std::exp(log_distance_weight(now_.weights[r], setting_.beta) + logs[r]);
  return objective;
}

std::vector<double> memberships(const ClusterSetting& setting, const MembershipRecipe& recipe) {
  const Index n_clusters = setting.n_clusters;
  std::vector<double> all(setting.problem.rows() * n_clusters);
  if (setting.problem.matrix.is_single())
    copy_free_memberships<float>(setting, recipe, all);
  else
    copy_free_memberships<double>(setting, recipe, all);
  for (Index s = 0; s < std::ssize(setting.linked); ++s)
    std::copy_n(&recipe.linked[s * n_clusters], n_clusters, &all[setting.linked[s] * n_clusters]);
  return all;
}

}  // namespace tamis
