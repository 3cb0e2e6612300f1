#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tamis/clustering/clustering.hpp"
#include "tamis/core/options.hpp"

namespace tamis {

struct SomSheet;

/// A clustering, and what its options make of it.
struct ClusteringRun {
  Clustering clustering;
  /// What features are ranked by, in the shape of the weights.
  std::vector<double> scores = {};
  /// What multiplies squared differences in distances, in the shape of the weights.
  std::vector<double> distance_weights = {};
  /// What is added to the squared distance from each centroid; empty: nothing.
  std::vector<double> offsets = {};
  bool ran_out = false;  ///< max_iter came before rows settled
  /// If the centroids are the units of a map: where they lie (clustering/som/som.hpp).
  std::shared_ptr<const SomSheet> map = nullptr;

  static constexpr auto fields() {
    using Self = ClusteringRun;
    return joined(nested_fields(&Self::clustering),
                  field_list(named("scores", &Self::scores),
                             named("distance_weights", &Self::distance_weights),
                             named("offsets", &Self::offsets), named("ran_out", &Self::ran_out)));
  }
};

/// A clustering as program and bindings see it.
struct ClusteringMethod {
  ClustererInfo info;
  std::vector<OptionInfo> options;
  std::function<ClusteringRun(const Problem&, const OptionTexts&, const ClusterGiven&, const Run&)>
      run;
  /// What there is to say of a clustering of so many columns that was found elsewhere, but for its
  /// map.
  std::function<ClusteringRun(Clustering, const OptionTexts&, Index cols)> completed;
  /// Every option with the value it would have. @throws InvalidArgument like run
  std::function<NamedValues(const OptionTexts&)> resolve;
};

/// The only list of clusterings. Program, bindings and documentation read it.
std::span<const ClusteringMethod> clusterings();

/// What is meant where no clustering is named: one that heeds what is known. constrained_kmeans for
/// labels, mpc_kmeans for pairs (constrained_kmeans knows pairs only by the labels they join, and
/// no weights of them), kmeans for neither.
const ClusteringMethod& default_clustering(const Knowledge& known);

/// @throws InvalidArgument for an unknown name, suggesting a near one
const ClusteringMethod& find_clustering(const std::string& name);

}  // namespace tamis
