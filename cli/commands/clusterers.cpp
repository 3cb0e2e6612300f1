#include "cli/commands/clusterers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/commands/partition.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

std::vector<std::string> flags_of(Learns learns) {
  std::vector<std::string> flags{"constraints", "close-constraints", "init"};
  if (learns != Learns::nothing) flags.emplace_back("init-weights");
  if (learns == Learns::weights_of_clusters) flags.emplace_back("local");
  return flags;
}

std::unique_ptr<ClusteringResult> run_partition(const ClusteringMethod& method,
                                                const ClusterTask& task, const Run& run) {
  ClusteringRun found = method.run(task.data.problem, task.texts, task.given, run);
  if (found.ran_out)
    found.clustering.warnings.push_back(
        fmt::format("{} did not settle within {} iterations: allow more "
                    "(--max-iter)",
                    method.info.name, found.clustering.iterations.size()));
  Partition partition{.data = task.data,
                      .clustering = std::move(found.clustering),
                      .learned = method.learns,
                      .scores = std::move(found.scores),
                      .n_local = task.n_local};
  examine(task, partition);
  return partition_result(std::move(partition));
}

/// A clustering of the k-means family.
Clusterer entry(const ClusteringMethod& method) {
  return {.info = method.info,
          .learns = method.learns,
          .options = method.options,
          .flags = flags_of(method.learns),
          .resolve = method.resolve,
          .run = [&method](const ClusterTask& task, const Run& run) {
            return run_partition(method, task, run);
          }};
}

bool knows(const Clusterer& clusterer, const std::string& flag) {
  return std::ranges::find(clusterer.flags, flag) != clusterer.flags.end();
}

}  // namespace

const std::vector<Clusterer>& clusterers() {
  static const std::vector<Clusterer> all = [] {
    std::vector<Clusterer> list{som_clusterer()};
    for (const ClusteringMethod& method : clusterings()) list.push_back(entry(method));
    return list;
  }();
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
