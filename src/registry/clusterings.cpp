#include "tamis/registry/clusterings.hpp"

#include <cmath>

#include "clustering/kmeans/constrained_kmeans.hpp"
#include "clustering/kmeans/cop_kmeans.hpp"
#include "clustering/kmeans/kmeans.hpp"
#include "clustering/kmeans/mpc_kmeans.hpp"
#include "clustering/kmeans/seeded_kmeans.hpp"
#include "clustering/som/som.hpp"
#include "clustering/weighted/dispersion_weights.hpp"
#include "core/option_texts.hpp"
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
constexpr ClustererInfo info_of() {
  if constexpr (requires { Options::clusterer; })
    return Options::clusterer;
  else
    return Options::info;
}

/// What follows from a clustering of the k-means family.
template <class Options>
ClusteringRun completed(Clustering clustering, const Options& options, Index n_cols) {
  ClusteringRun done{.clustering = std::move(clustering)};
  done.distance_weights = distance_weights(done.clustering.weights, options);
  done.scores = scores(done, options);
  if constexpr (requires { offsets(options, done.clustering, n_cols); })
    done.offsets = offsets(options, done.clustering, n_cols);
  done.ran_out =
      !done.clustering.converged && std::ssize(done.clustering.iterations) >= options.max_iter;
  return done;
}
ClusteringRun completed(Clustering clustering, const SomOptions& /*options*/, Index /*n_cols*/) {
  return {.clustering = std::move(clustering)};
}

template <class Options>
using Cluster =
    std::function<ClusteringRun(const Problem&, const Options&, const ClusterGiven&, const Run&)>;

template <class Options>
ClusteringMethod entry(const Cluster<Options>& cluster) {
  const auto parse = [](const OptionTexts& texts) {
    return parse_options<Options>(Options::info.name, texts);
  };
  return {.info = info_of<Options>(),
          .options = describe_options<Options>(),
          .run = [cluster, parse](
                     const Problem& problem, const OptionTexts& texts, const ClusterGiven& given,
                     const Run& run) { return cluster(problem, parse(texts), given, run); },
          .completed =
              [parse](Clustering clustering, const OptionTexts& texts, Index cols) {
                return completed(std::move(clustering), parse(texts), cols);
              },
          .resolve = [parse](const OptionTexts& texts) { return resolved_values(parse(texts)); }};
}

/// A clustering of the k-means family.
template <class Options>
ClusteringMethod entry(Clustering (*cluster)(const Problem&, const Options&, const ClusterGiven&,
                                             const Run&)) {
  return entry<Options>(Cluster<Options>([cluster](const Problem& problem, const Options& options,
                                                   const ClusterGiven& given, const Run& run) {
    return completed(cluster(problem, options, given, run), options, problem.cols());
  }));
}

ClusteringRun run_som(const Problem& problem, const SomOptions& options, const ClusterGiven& given,
                      const Run& run) {
  check_given(options.info, given, 0, problem.rows(), problem.cols());
  const std::vector<Index> rows = given.rows ? *given.rows : all_indices(problem.rows());
  Som som = train_som(problem.matrix, rows, options, run.progress);
  return {.clustering = {.centroids = std::move(som.codebook),
                         .clusters = std::move(som.best_units),
                         .warnings = std::move(som.warnings)},
          .map = std::make_shared<const SomSheet>(std::move(som))};
}

}  // namespace

std::span<const ClusteringMethod> clusterings() {
  static const std::vector<ClusteringMethod> all{
      entry<SomOptions>(run_som), entry(kmeans),           entry(seeded_kmeans),
      entry(constrained_kmeans),  entry(cop_kmeans),       entry(mpc_kmeans),
      entry(wckm_clustering),     entry(l2gfs_clustering),
  };
  return all;
}

const ClusteringMethod& default_clustering(const Knowledge& known) {
  const std::string_view name = known.has_pairs()              ? MpcKmeansOptions::info.name
                                : !labeled_rows(known).empty() ? ConstrainedKmeansOptions::info.name
                                                               : KmeansOptions::info.name;
  return find_clustering(std::string(name));
}

const ClusteringMethod& find_clustering(const std::string& name) {
  return find_by_name(clusterings(), "clustering", name);
}

}  // namespace tamis
