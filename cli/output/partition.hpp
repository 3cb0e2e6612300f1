#pragma once

#include <optional>
#include <vector>

#include "cli/output/clustering_output.hpp"
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
    return field_list(named("rows", &Self::rows), named("rand", &Self::rand),
                      named("adjusted_rand", &Self::adjusted_rand), named("nmi", &Self::nmi));
  }
};

/// A clustering of the k-means family, and what there is to say about it. Looks into the outcome.
class Partition {
 public:
  explicit Partition(const ClusteringOutcome& outcome);

  Index n_clusters() const { return std::ssize(members); }
  /// Of the clustering, or the mean over its clusters; empty if it learns none.
  std::vector<double> global_weights() const;
  /// The columns with the highest scores (in the cluster), best first, ties to the lower; those
  /// without weight are left out. `cluster` is 0 where all clusters share the weights.
  std::vector<Index> best_features(Index cluster, Index count) const;
  double weight(Index cluster, Index column) const;

  const ClusteredTable& table;
  const Clustering& clustering;
  Learns learned;
  std::optional<Index> n_local;
  std::vector<std::vector<Index>> members;  ///< the rows of each cluster
  bool has_links = false;
  Violations broken = {};
  std::optional<PairConstraints> listed = std::nullopt;  ///< those broken, if they are asked for
  std::optional<Agreement> agreement = std::nullopt;     ///< over all rows whose class is known
  std::optional<Agreement> held_out = std::nullopt;      ///< over those of which nothing was given

 private:
  const std::vector<double>& scores_;  // what features are ranked by, in the shape of the weights
};

void add_partition(const Partition& partition, Json& object);

}  // namespace tamis::cli
