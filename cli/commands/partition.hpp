#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/clusterers.hpp"
#include "clustering/informativeness.hpp"

namespace tamis::cli {

/// How alike clusters and classes are, over the rows whose class is known.
struct Agreement {
  Index rows = 0;
  double rand = 0.0;
  double adjusted_rand = 0.0;
  double nmi = 0.0;

  static constexpr auto fields() {
    using Self = Agreement;
    return std::make_tuple(named("rows", &Self::rows), named("rand", &Self::rand),
                           named("adjusted_rand", &Self::adjusted_rand), named("nmi", &Self::nmi));
  }
};

/// Some of the constraints that a clustering breaks, row by row.
using BrokenPairs = PairConstraints;

/// A clustering of the k-means family, and what there is to say about it.
struct Partition {
  const LoadedProblem& data;
  Clustering clustering;
  Learns learned = Learns::nothing;
  std::vector<double> scores = {};  ///< what features are ranked by, in the shape of the weights
  std::optional<Index> n_local = std::nullopt;

  std::vector<std::vector<Index>> members = {};  ///< the rows of each cluster
  bool has_links = false;
  Violations broken = {};
  std::optional<BrokenPairs> broken_pairs = std::nullopt;  ///< listed only if asked for
  std::optional<Agreement> agreement = std::nullopt;       ///< over all rows whose class is known
  std::optional<Agreement> held_out = std::nullopt;  ///< over those of which nothing was given

  Index n_clusters() const { return std::ssize(members); }
  /// Of the clustering, or the mean over its clusters; empty if it learns none.
  std::vector<double> global_weights() const;
  /// The columns with the highest scores (in the cluster), best first, ties to the lower; those
  /// without weight are left out. `cluster` is 0 where all clusters share the weights.
  std::vector<Index> best_features(Index cluster, Index count) const;
  double weight(Index cluster, Index column) const;
};

/// Finds out the rest.
void examine(const ClusterTask& task, Partition& partition);

/// At most `limit` of the constraints that clusters break, ordered by rows. Takes no longer than
/// there are rows, pairs of groups and broken constraints.
BrokenPairs list_broken_pairs(const Problem& problem, std::span<const Index> clusters, Index limit);

std::vector<std::string> partition_summary(const Partition& partition);
/// The broken constraints, if they are listed.
std::vector<std::string> partition_details(const Partition& partition);
std::string partition_csv(const Partition& partition);
std::string partition_table(const Partition& partition, const Screen& screen);
void add_partition(const Partition& partition, Json& object);

std::unique_ptr<ClusteringResult> partition_result(Partition partition);

}  // namespace tamis::cli
