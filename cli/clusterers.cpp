#include "cli/clusterers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/partition.hpp"
#include "tamis/clustering/constrained_kmeans.hpp"
#include "tamis/clustering/cop_kmeans.hpp"
#include "tamis/clustering/kmeans.hpp"
#include "tamis/clustering/mpc_kmeans.hpp"
#include "tamis/clustering/seeded_kmeans.hpp"
#include "tamis/core/error.hpp"
#include "tamis/methods/l2gfs.hpp"
#include "tamis/methods/wckm.hpp"

namespace tamis::cli {
namespace {

std::vector<std::string> flags_of(Learns learns) {
  std::vector<std::string> flags{"constraints", "close-constraints", "init"};
  if (learns != Learns::nothing) flags.emplace_back("init-weights");
  if (learns == Learns::weights_of_clusters) flags.emplace_back("local");
  return flags;
}

/// What features are ranked by: their weights, or what the options make of them.
template <class Options>
std::vector<double> scores_of(std::vector<double> weights, const Options& options) {
  if constexpr (requires { options.rank_by; })
    if (options.rank_by == RankBy::distance_weight)
      for (double& weight : weights) weight = distance_weight(weight, options.beta);
  return weights;
}

template <class Options>
std::unique_ptr<ClusteringResult> run_partition(Clustering (*cluster)(const Problem&,
                                                                      const Options&,
                                                                      const ClusterGiven&),
                                                Learns learns, const ClusterTask& task) {
  const auto options = parse_options<Options>(Options::info.name, task.texts);
  Clustering found = cluster(task.data.problem, options, task.given);
  const Index n_iterations = std::ssize(found.iterations);
  if (!found.converged && n_iterations >= options.max_iter)
    found.warnings.push_back(
        fmt::format("{} did not settle within {} iterations: allow more "
                    "(--max-iter)",
                    Options::info.name, n_iterations));
  std::vector<double> scores = scores_of(found.weights, options);
  Partition partition{.data = task.data,
                      .clustering = std::move(found),
                      .learned = learns,
                      .scores = std::move(scores),
                      .n_local = task.n_local};
  examine(task, partition);
  return partition_result(std::move(partition));
}

/// A clustering of the k-means family.
template <class Options>
Clusterer entry(Clustering (*cluster)(const Problem&, const Options&, const ClusterGiven&),
                Learns learns = Learns::nothing) {
  return {.info = {.name = Options::info.name,
                   .title = Options::info.title,
                   .reference = Options::info.reference,
                   .learns_weights = learns != Learns::nothing},
          .learns = learns,
          .options = describe_options<Options>(),
          .flags = flags_of(learns),
          .resolve =
              [](const OptionTexts& texts) {
                return resolved_values(parse_options<Options>(Options::info.name, texts));
              },
          .run = [cluster, learns](
                     const ClusterTask& task) { return run_partition(cluster, learns, task); }};
}

bool knows(const Clusterer& clusterer, const std::string& flag) {
  return std::ranges::find(clusterer.flags, flag) != clusterer.flags.end();
}

}  // namespace

const std::vector<Clusterer>& clusterers() {
  static const std::vector<Clusterer> all{
      som_clusterer(),
      entry(kmeans),
      entry(seeded_kmeans),
      entry(constrained_kmeans),
      entry(cop_kmeans),
      entry(mpc_kmeans, Learns::weights_of_clusters),
      entry(wckm_clustering, Learns::weights),
      entry(l2gfs_clustering, Learns::weights_of_clusters),
  };
  return all;
}

const Clusterer& find_clusterer(const std::string& name) {
  return *std::ranges::find(clusterers(), name,
                            [](const Clusterer& clusterer) { return clusterer.info.name; });
}

void refuse_foreign_flags(const Arguments& arguments, const Clusterer& clusterer) {
  for (const Flag& flag : arguments.command->flags) {
    if (!arguments.has(flag.name) || knows(clusterer, flag.name)) continue;
    std::vector<std::string_view> owners;
    for (const Clusterer& other : clusterers())
      if (knows(other, flag.name)) owners.push_back(other.info.name);
    if (!owners.empty())
      throw InvalidArgument(fmt::format("{} makes no use of --{}; it is for {}",
                                        clusterer.info.name, flag.name, fmt::join(owners, ", ")));
  }
}

Table table_of_centers(const Problem& problem, const std::vector<double>& values) {
  Table table;
  table.data = DenseTable<double>{.rows = std::ssize(values) / problem.cols(),
                                  .cols = problem.cols(),
                                  .values = {values.begin(), values.end()}};
  table.feature_names = problem.feature_names;
  return table;
}

}  // namespace tamis::cli
