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

/// The group of the greatest product of size and distance, or one drawn by it.
Group& next_group(std::vector<Group>& groups, RandomStream* random) {
  std::vector<double> products;
  for (const Group& group : groups)
    products.push_back(group.is_chosen ? -1.0 : group.size * group.distance);
  if (random == nullptr) return groups[std::ranges::max_element(products) - products.begin()];
  std::vector<bool> is_chosen;
  for (const Group& group : groups) is_chosen.push_back(group.is_chosen);
  for (double& product : products) product = std::max(product, 0.0);
  return groups[draw_place(products, is_chosen, *random)];
}

/// Groups that are far from each other and large.
std::vector<Group> far_and_large(std::vector<Group> groups, Index count, RandomStream* random) {
  std::vector<Group> chosen;
  while (std::ssize(chosen) < count) {
    Group& next = next_group(groups, random);
    next.is_chosen = true;
    for (Group& group : groups) {
      const double distance = distance_of(group.mean, next.mean);
      group.distance = chosen.empty() ? distance : std::min(group.distance, distance);
    }
    chosen.push_back(next);
  }
  return chosen;
}

}  // namespace

Neighborhoods neighborhoods(const Problem& problem, const Links& links, Index n_clusters,
                            RandomStream* random) {
  const auto counts = [&](Index g) { return links.is_class(g) || links.groups()[g].size() > 1; };
  std::vector<Group> groups;
  for (Index g = 0; g < links.n_groups(); ++g)
    if (counts(g))
      groups.push_back({.size = static_cast<double>(links.groups()[g].size()),
                        .mean = mean_of_rows(problem.matrix, links.groups()[g])});
  if (std::ssize(groups) > n_clusters)
    groups = far_and_large(std::move(groups), n_clusters, random);
  Neighborhoods found;
  for (const Group& group : groups)
    found.centroids.insert(found.centroids.end(), group.mean.begin(), group.mean.end());
  for (Index row = 0; row < problem.rows(); ++row)
    if (links.group_of(row) == Links::kNoGroup || !counts(links.group_of(row)))
      found.other_rows.push_back(row);
  return found;
}

}  // namespace tamis
