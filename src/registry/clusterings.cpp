#include "tamis/registry/clusterings.hpp"

#include <cmath>

#include "clustering/kmeans/constrained_kmeans.hpp"
#include "clustering/kmeans/cop_kmeans.hpp"
#include "clustering/kmeans/kmeans.hpp"
#include "clustering/kmeans/mpc_kmeans.hpp"
#include "clustering/kmeans/seeded_kmeans.hpp"
#include "clustering/weighted/dispersion_weights.hpp"
#include "registry/find_by_name.hpp"
#include "tamis/methods/l2gfs.hpp"
#include "tamis/methods/wckm.hpp"

namespace tamis {
namespace {

/// As they stand in distances: to the power of beta, if the clustering has one.
template <class Options>
std::vector<double> distance_weights(std::vector<double> weights, const Options& options) {
  if constexpr (requires { options.beta; })
    for (double& weight : weights) weight = distance_weight(weight, options.beta);
  return weights;
}

/// What features are ranked by: their weights, or what the options make of them.
template <class Options>
std::vector<double> scores(const ClusteringRun& run, const Options& options) {
  if constexpr (requires { options.rank_by; })
    if (options.rank_by == RankBy::distance_weight) return run.distance_weights;
  return run.clustering.weights;
}

/// What an options struct alone does not tell: -log det A_h is added to distances from centroid h.
std::vector<double> offsets(const MpcKmeansOptions&, const Clustering& found, Index n_cols) {
  std::vector<double> offsets(found.weights.size() / n_cols, 0.0);
  for (Index e = 0; e < std::ssize(found.weights); ++e)
    offsets[e / n_cols] -= std::log(found.weights[e]);
  return offsets;
}

template <class Options>
ClusteringMethod entry(Clustering (*cluster)(const Problem&, const Options&, const ClusterGiven&,
                                             const Run&),
                       Learns learns = Learns::nothing) {
  const auto parse = [](const OptionTexts& texts) {
    return parse_options<Options>(Options::info.name, texts);
  };
  return {.info = {.name = Options::info.name,
                   .title = Options::info.title,
                   .reference = Options::info.reference,
                   .learns_weights = learns != Learns::nothing},
          .learns = learns,
          .options = describe_options<Options>(),
          .run =
              [cluster, parse](const Problem& problem, const OptionTexts& texts,
                               const ClusterGiven& given, const Run& run) {
                const Options options = parse(texts);
                ClusteringRun done{.clustering = cluster(problem, options, given, run)};
                done.distance_weights = distance_weights(done.clustering.weights, options);
                done.scores = scores(done, options);
                if constexpr (requires { offsets(options, done.clustering, problem.cols()); })
                  done.offsets = offsets(options, done.clustering, problem.cols());
                done.ran_out = !done.clustering.converged &&
                               std::ssize(done.clustering.iterations) >= options.max_iter;
                return done;
              },
          .resolve = [parse](const OptionTexts& texts) { return resolved_values(parse(texts)); }};
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

std::span<const ClusteringMethod> clusterings() {
  static const std::vector<ClusteringMethod> all{
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

const ClusteringMethod& find_clustering(const std::string& name) {
  return find_by_name(clusterings(), "clustering", name);
}

}  // namespace tamis
