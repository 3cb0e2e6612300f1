#include "clustering/kmeans/neighborhoods.hpp"

#include <algorithm>
#include <cmath>

#include "clustering/kmeans/cluster_start.hpp"

namespace tamis {
namespace {

struct Group {
  double size;
  std::vector<double> mean;
  double distance = 1.0;  // from the nearest chosen one; before there is one, size alone counts
  bool is_chosen = false;
};

double distance_of(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0.0;
  for (std::size_t r = 0; r < a.size(); ++r) squares += (a[r] - b[r]) * (a[r] - b[r]);
  return std::sqrt(squares);
}

/// Moves the far and large groups to the front.
std::vector<Group> far_and_large(std::vector<Group> groups, Index count) {
  std::vector<Group> chosen;
  while (std::ssize(chosen) < count) {
    const auto best = std::ranges::max_element(groups, {}, [](const Group& group) {
      return group.is_chosen ? -1.0 : group.size * group.distance;
    });
    best->is_chosen = true;
    for (Group& group : groups) {
      const double distance = distance_of(group.mean, best->mean);
      group.distance = chosen.empty() ? distance : std::min(group.distance, distance);
    }
    chosen.push_back(*best);
  }
  return chosen;
}

}  // namespace

Neighborhoods neighborhoods(const Problem& problem, const Links& links, Index n_clusters) {
  const auto counts = [&](Index g) { return links.is_class(g) || links.groups()[g].size() > 1; };
  std::vector<Group> groups;
  for (Index g = 0; g < links.n_groups(); ++g)
    if (counts(g))
      groups.push_back({.size = static_cast<double>(links.groups()[g].size()),
                        .mean = mean_of_rows(problem.matrix, links.groups()[g])});
  if (std::ssize(groups) > n_clusters) groups = far_and_large(std::move(groups), n_clusters);
  Neighborhoods found;
  for (const Group& group : groups)
    found.centroids.insert(found.centroids.end(), group.mean.begin(), group.mean.end());
  for (Index row = 0; row < problem.rows(); ++row)
    if (links.group_of(row) == Links::kNoGroup || !counts(links.group_of(row)))
      found.other_rows.push_back(row);
  return found;
}

}  // namespace tamis
