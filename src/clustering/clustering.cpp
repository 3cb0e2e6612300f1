#include "tamis/clustering/clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

std::vector<std::vector<double>> lines_of(std::span<const double> values, Index width) {
  std::vector<std::vector<double>> lines;
  for (Index from = 0; from < std::ssize(values); from += width)
    lines.emplace_back(values.begin() + from, values.begin() + from + width);
  return lines;
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool is_permutation_of_rows(std::span<const Index> order, Index n_rows) {
  std::vector<bool> is_seen(n_rows, false);
  for (const Index row : order) {
    if (row < 0 || row >= n_rows || is_seen[row]) return false;
    is_seen[row] = true;
  }
  return std::ssize(order) == n_rows;
}

}  // namespace

std::string_view name_of(Learns learns) {
  switch (learns) {
    case Learns::weights:
      return "weights";
    case Learns::weights_of_clusters:
      return "weights_of_clusters";
    default:
      return "nothing";
  }
}

void check_cluster_rows(std::string_view method, Index n_clusters, Index n_rows) {
  if (n_clusters > n_rows)
    throw DataError(fmt::format("{}: {} clusters need as many rows, and there are {}", method,
                                n_clusters, n_rows));
}

Index cluster_count(std::string_view method, const Knowledge& known, Index n_rows,
                    std::optional<Index> wanted, std::vector<std::string>& warnings) {
  const Index n_classes = std::ssize(rows_by_class(known));
  if (!wanted && n_classes == 0 && !known.class_names.empty())
    wanted = std::ssize(known.class_names);
  if (!wanted && n_classes == 0) {
    wanted = std::min(kUsualClusters, n_rows);
    warnings.push_back(fmt::format(
        "{} makes {} clusters, because no row has a label and nothing says how many there are; set "
        "n_clusters",
        method, *wanted));
  }
  if (wanted && *wanted < n_classes)
    throw DataError(fmt::format(
        "{}: {} clusters are fewer than the {} labeled classes, so that rows of different classes "
        "would have to share a cluster; ask for at least {} clusters (n_clusters) or give labels "
        "of fewer classes",
        method, *wanted, n_classes, n_classes));
  if (!wanted && std::ssize(labeled_rows(known)) < n_rows)
    warnings.push_back(fmt::format(
        "{} makes one cluster for each of the {} labeled classes; set n_clusters if there are "
        "classes without a label",
        method, n_classes));
  const Index n_clusters = wanted.value_or(n_classes);
  check_cluster_rows(method, n_clusters, n_rows);
  return n_clusters;
}

void check_start(std::string_view method, const ClusterStart& start, Index n_clusters,
                 Index n_cols) {
  if (std::ssize(start.centroids) != n_clusters * n_cols)
    throw DataError(fmt::format(
        "{}: the start has {} values, but {} centroids of {} columns are {}; give a line for each "
        "cluster and in it a value for each column",
        method, start.centroids.size(), n_clusters, n_cols, n_clusters * n_cols));
  const Index n_weights = std::ssize(start.weights);
  if (n_weights != 0 && n_weights != n_cols && n_weights != n_clusters * n_cols)
    throw DataError(fmt::format(
        "{}: the start has {} weights; there should be none, one for each of the {} columns, or "
        "one for each cluster and column, {}",
        method, n_weights, n_cols, n_clusters * n_cols));
  if (!all_finite(start.centroids))
    throw DataError(
        fmt::format("{}: a centroid of the start holds a value that is not finite", method));
  if (!all_finite(start.weights) ||
      std::ranges::any_of(start.weights, [](double w) { return w < 0; }))
    throw DataError(fmt::format("{}: a weight of the start is negative or not finite", method));
}

void check_given(const ClustererInfo& clusterer, const ClusterGiven& given, Index n_clusters,
                 Index n_rows, Index n_cols) {
  if (given.start && !clusterer.takes_start)
    throw DataError(fmt::format("{} has no use for a start, but one is given", clusterer.name));
  if (given.rows && !clusterer.takes_rows)
    throw DataError(fmt::format("{} clusters all rows, but some are chosen", clusterer.name));
  if (given.start) check_start(clusterer.name, *given.start, n_clusters, n_cols);
  if (given.start && !given.start->weights.empty() && clusterer.learns == Learns::nothing)
    throw DataError(
        fmt::format("{} has no weights of columns, but the start gives some", clusterer.name));
  if (!given.order.empty() && !is_permutation_of_rows(given.order, n_rows))
    throw DataError(
        fmt::format("{}: the order should hold each of the {} rows once", clusterer.name, n_rows));
}

void record_start(const Trace& trace, Index run, const ClusterStart& start, Index n_cols) {
  if (!trace.is_wanted()) return;
  TraceEvent event{"start"};
  event.with("run", run).with("centroids", lines_of(start.centroids, n_cols));
  if (std::ssize(start.weights) == n_cols)
    event.with("weights", start.weights);
  else if (!start.weights.empty())
    event.with("weights", lines_of(start.weights, n_cols));
  trace.record(event);
}

void record_order(const Trace& trace, Index run, Index number_of_try, std::span<const Index> rows) {
  if (!trace.is_wanted()) return;
  trace.record(TraceEvent{"order"}
                   .with("run", run)
                   .with("try", number_of_try)
                   .with("rows", std::vector<Index>(rows.begin(), rows.end())));
}

void record_iteration(const Trace& trace, Index run, Index number,
                      const ClusterIteration& iteration) {
  if (!trace.is_wanted()) return;
  trace.record(TraceEvent{"iteration"}
                   .with("run", run)
                   .with("iteration", number)
                   .with("objective", iteration.objective)
                   .with("must_link_violations", iteration.must_link_violations)
                   .with("cannot_link_violations", iteration.cannot_link_violations)
                   .with("changed", iteration.changed));
}

void record_iterations(const Trace& trace, const Clustering& clustering) {
  for (Index i = 0; i < std::ssize(clustering.iterations); ++i)
    record_iteration(trace, clustering.run, i, clustering.iterations[i]);
}

}  // namespace tamis
