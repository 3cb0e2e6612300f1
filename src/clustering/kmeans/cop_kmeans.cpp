#include "clustering/kmeans/cop_kmeans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "clustering/kmeans/lloyd.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Ends a run.
struct NoClusterLeft : std::exception {
  explicit NoClusterLeft(Index which) : row(which) {}
  Index row;
};

/// Where groups of must-linked rows go, pass after pass in the same order. A group goes where its
/// first row in the order goes: the others must follow it, and since a cannot-link of one is a
/// cannot-link of all, no row placed in between can bar their way.
class GroupPlaces {
 public:
  GroupPlaces(const MatrixView& x, const Links& links, std::span<const Index> order);

  /// The cluster of each group. @throws NoClusterLeft
  std::vector<Index> place(const NearestCenters& nearest, std::span<const double> centroids) const;

 private:
  Index nearest_open(Index row, const std::vector<bool>& is_barred,
                     std::span<const double> centroids) const;

  const MatrixView& x_;
  const Links& links_;
  std::vector<Index> first_rows_;  // of the groups, as the order meets them
};

GroupPlaces::GroupPlaces(const MatrixView& x, const Links& links, std::span<const Index> order)
    : x_(x), links_(links) {
  std::vector<bool> is_met(links.n_groups(), false);
  for (const Index row : order) {
    const Index group = links.group_of(row);
    if (group == Links::kNoGroup || is_met[group]) continue;
    is_met[group] = true;
    first_rows_.push_back(row);
  }
}

std::vector<Index> GroupPlaces::place(const NearestCenters& nearest,
                                      std::span<const double> centroids) const {
  std::vector<Index> clusters(links_.n_groups(), kNoCluster);
  std::vector<bool> is_barred(std::ssize(centroids) / x_.cols());
  for (const Index row : first_rows_) {
    const Index group = links_.group_of(row);
    is_barred.assign(is_barred.size(), false);
    links_.for_each_apart(group, [&](Index other) {
      if (clusters[other] != kNoCluster) is_barred[clusters[other]] = true;
    });
    clusters[group] = is_barred[nearest.centers[row]] ? nearest_open(row, is_barred, centroids)
                                                      : nearest.centers[row];
  }
  return clusters;
}

Index GroupPlaces::nearest_open(Index row, const std::vector<bool>& is_barred,
                                std::span<const double> centroids) const {
  Index best = kNoCluster;
  double least = HUGE_VAL;
  for (Index q = 0; q < std::ssize(is_barred); ++q) {
    if (is_barred[q]) continue;
    const double distance = squared_distance(x_, row, centroids.subspan(q * x_.cols(), x_.cols()));
    if (best != kNoCluster && distance >= least) continue;
    best = q;
    least = distance;
  }
  if (best == kNoCluster) throw NoClusterLeft(row);
  return best;
}

void move_to_front(Index row, std::vector<Index>& order) {
  const auto place = std::ranges::find(order, row);
  std::rotate(order.begin(), place, place + 1);
}

/// The restarts of one call.
class CopRuns {
 public:
  CopRuns(const Problem& problem, const CopKmeansOptions& options, const ClusterGiven& given,
          Index n_clusters, const Run& run)
      : problem_(problem),
        options_(options),
        given_(given),
        n_clusters_(n_clusters),
        links_(problem.known, problem.rows()),
        run_(run) {}

  Clustering best();

 private:
  std::optional<Clustering> run(Index number);
  std::optional<Clustering> try_order(Index number, const ClusterStart& start,
                                      std::span<const Index> order);
  [[noreturn]] void refuse() const;

  const Problem& problem_;
  const CopKmeansOptions& options_;
  const ClusterGiven& given_;
  Index n_clusters_;
  Links links_;
  const Run& run_;
  Index n_failed_runs_ = 0;
  Index stuck_row_ = 0;  // of the last order that failed
};

Clustering CopRuns::best() {
  const Index n_runs = given_.start ? 1 : options_.restarts;
  std::optional<Clustering> found = best_run(
      options_.info, n_runs, [&](Index number) { return run(number); }, run_.progress);
  if (!found) refuse();
  if (n_failed_runs_ > 0)
    found->warnings.push_back(fmt::format(
        "cop_kmeans left out {} of {} restarts, in which no cluster was left for a row{}",
        n_failed_runs_, n_runs,
        options_.order == PlacingOrder::rows ? "; other orders may do better (order = shuffle)"
                                             : ""));
  return *std::move(found);
}

std::optional<Clustering> CopRuns::run(Index number) {
  RandomStream random(run_.seed, static_cast<std::uint64_t>(number));
  ClusterStart start = given_.start.value_or(ClusterStart{});
  draw_centroids(problem_.matrix, all_indices(problem_.rows()), options_.start, n_clusters_, random,
                 start.centroids);
  const bool shuffles = options_.order == PlacingOrder::shuffle;
  std::vector<Index> order = order_of(given_, problem_.rows());
  for (Index attempt = 0; attempt < (shuffles ? options_.tries : 1); ++attempt) {
    if (attempt > 0) move_to_front(stuck_row_, order);
    if (shuffles && attempt == 0 && given_.order.empty()) random.shuffle(order);
    if (shuffles) record_order(run_.trace, number, attempt, order);
    if (std::optional<Clustering> found = try_order(number, start, order)) return found;
  }
  ++n_failed_runs_;
  return std::nullopt;
}

std::optional<Clustering> CopRuns::try_order(Index number, const ClusterStart& start,
                                             std::span<const Index> order) {
  const MatrixView& x = problem_.matrix;
  const GroupPlaces places(x, links_, order);
  const auto place_rows = [&](Clustering& clustering) {
    NearestCenters nearest = nearest_centers(x, all_indices(x.rows()), clustering.centroids);
    const std::vector<Index> group_clusters = places.place(nearest, clustering.centroids);
    return place_with_groups(x, links_, group_clusters, std::move(nearest), clustering);
  };
  try {
    return lloyd(problem_, links_, number, start, options_.max_iter,
                 {.place_rows = place_rows,
                  .update = [&](Clustering& clustering) { move_to_means(x, clustering); }},
                 run_.trace);
  } catch (const NoClusterLeft& failure) {
    stuck_row_ = failure.row;
    return std::nullopt;
  }
}

void CopRuns::refuse() const {
  const std::string row = row_name(problem_.known, stuck_row_);
  if (options_.order == PlacingOrder::rows)
    throw ComputationError(fmt::format(
        "cop_kmeans: no cluster is left for row {}: each of the {} holds a row that it cannot be "
        "with; another order of the rows may leave one (order = shuffle), or more clusters",
        row, n_clusters_));
  throw ComputationError(fmt::format(
      "cop_kmeans: none of {} orders leaves a cluster for each row; in the last, each of the {} "
      "clusters held a row that row {} cannot be with; allow more tries or more clusters",
      n_failed_runs_ * options_.tries, n_clusters_, row));
}

}  // namespace

Clustering cop_kmeans(const Problem& problem, const CopKmeansOptions& options,
                      const ClusterGiven& given, const Run& run) {
  check_ranges(options.info.name, options);
  std::vector<std::string> warnings;
  const Index n_clusters =
      cluster_count(options.info.name, problem.known, problem.rows(), options.n_clusters, warnings);
  check_given(options.info, given, n_clusters, problem.rows(), problem.cols());
  refuse_pair_weights(options.info.name, problem.known);
  Clustering best = CopRuns(problem, options, given, n_clusters, run).best();
  best.warnings.insert(best.warnings.begin(), warnings.begin(), warnings.end());
  return best;
}

}  // namespace tamis
