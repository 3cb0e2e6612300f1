#include "tamis/methods/csfs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clustering/ward/agglomerative.hpp"
#include "constraints/coherence.hpp"
#include "core/squared_differences.hpp"
#include "graphs/graph.hpp"
#include "graphs/heat_kernel.hpp"
#include "methods/constrained_denominator.hpp"
#include "methods/csfs/cluster_pairs.hpp"
#include "methods/preconditions.hpp"
#include "prepare/condense.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

ConstraintSet coherent_constraints(const Problem& problem, Diagnostics& diagnostics) {
  const ConstraintSet all(problem.known, problem.rows());
  const auto musts = all.must_link_pairs();
  const auto cannots = all.cannot_link_pairs();
  const Coherence measured = coherence(problem.matrix, musts, cannots);
  diagnostics.figures.emplace_back("coherence", measured.of_set);
  const ConstraintSet kept(problem.rows(), select_coherent(measured, musts, cannots));
  diagnostics.dropped_constraints =
      all.n_must_link() + all.n_cannot_link() - kept.n_must_link() - kept.n_cannot_link();
  return kept;
}

PairWeight pair_weight(const MatrixView& x, const CsfsOptions& options,
                       std::span<const Index> clusters) {
  double unit = 1.0;
  if (options.bandwidth_unit == BandwidthUnit::mean_distance) unit = mean_squared_distance(x);
  if (options.bandwidth_unit == BandwidthUnit::mean_edge) unit = mean_cluster_distance(x, clusters);
  return {options.kernel, options.bandwidth * unit};
}

/// The pairs of the numerator that constraints change.
struct ConstrainedPairs {
  std::vector<RowPair> released = {};   ///< must-linked neighbours: they weigh 0 instead of w
  std::vector<RowPair> repelled = {};   ///< cannot-linked neighbours: w^2 is added to w
  std::vector<RowPair> attracted = {};  ///< must-linked rows of two clusters: w^2
};

ConstrainedPairs constrained_pairs(const MatrixView& x, const ConstraintSet& constraints,
                                   std::span<const Index> clusters, const PairWeight& weight) {
  ConstrainedPairs pairs;
  const auto squared_weight = [&](RowPair& pair) {
    pair.weight *= std::pow(weight(squared_distance(x, pair.first, pair.second)), 2);
  };
  for (RowPair pair : constraints.must_link_pairs()) {
    if (clusters[pair.first] == clusters[pair.second]) {
      pairs.released.push_back(pair);
    } else {
      squared_weight(pair);
      pairs.attracted.push_back(pair);
    }
  }
  for (RowPair pair : constraints.cannot_link_pairs()) {
    if (clusters[pair.first] != clusters[pair.second]) continue;
    squared_weight(pair);
    pairs.repelled.push_back(pair);
  }
  return pairs;
}

/// The numerator's weights S+N, summed: w for neighbours that are not must-linked, w^2 more for
/// cannot-linked ones, w^2 for must-linked rows of two clusters.
ClusterPairSums weighted_sums(const Problem& problem, const ConstrainedPairs& pairs,
                              std::span<const Index> clusters, const PairWeight& weight,
                              const Progress& progress) {
  ClusterPairSums sums =
      sum_cluster_pairs(problem.matrix, clusters, weight, pairs.released, progress);
  for (const auto* const more : {&pairs.repelled, &pairs.attracted}) {
    if (more->empty()) continue;
    const std::vector<double> differences = squared_difference_sums(problem.matrix, *more);
    for (Index r = 0; r < problem.cols(); ++r) sums.differences[r] += differences[r];
  }
  for (const RowPair& pair : pairs.attracted) {
    sums.weight += pair.weight;
    sums.squared_weight += pair.weight * pair.weight;
  }
  for (const RowPair& pair : pairs.repelled) {  // (w + v)^2 = w^2 + (2w + v) v
    const double w = weight(squared_distance(problem.matrix, pair.first, pair.second));
    sums.weight += pair.weight;
    sums.squared_weight += (2.0 * w + pair.weight) * pair.weight;
  }
  return sums;
}

/// S must weigh something: it makes the degrees.
void check_weights(const Problem& problem, const CsfsOptions& options, Index neighbors,
                   const ClusterPairSums& sums) {
  if (neighbors == 0)
    throw DataError(
        "csfs: no two rows share a cluster, so that there are no neighbours; lower max_clusters");
  for (const double degree : sums.degrees)
    if (degree > 0.0) return;
  throw DataError(fmt::format(
      "csfs: all {} heat-kernel weights underflow to 0: bandwidth = {} with bandwidth_unit = {} is "
      "too small for a mean squared distance of {:.6g}; raise it, or take bandwidth_unit = "
      "mean_distance",
      neighbors, options.bandwidth, word_of(options.bandwidth_unit),
      mean_squared_distance(problem.matrix)));
}

}  // namespace

Ranking csfs(const Problem& given, const CsfsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  if (options.select_constraints)
    refuse_pair_weights("csfs, which selects constraints by their coherence,", given.known);
  const std::vector<bool> varies = rankable_columns(options.info, given);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, given, diagnostics);
  const auto condensed = condense(given, options.condense, run, diagnostics);
  const Problem& problem = condensed ? condensed->problem() : given;
  const ConstraintSet constraints = options.select_constraints
                                        ? coherent_constraints(problem, diagnostics)
                                        : ConstraintSet(problem.known, problem.rows());
  check_form(options.info, options.form, constraints);
  const std::vector<Index> clusters = davies_bouldin_cut(
      problem.matrix, ward_linkage(problem.matrix, run.progress), options.max_clusters);
  diagnostics.figures.emplace_back("clusters", static_cast<double>(std::ranges::max(clusters) + 1));
  const PairWeight weight = pair_weight(problem.matrix, options, clusters);
  const ConstrainedPairs pairs = constrained_pairs(problem.matrix, constraints, clusters, weight);
  const ClusterPairSums sums = weighted_sums(problem, pairs, clusters, weight, run.progress);
  const Index neighbors = count_cluster_pairs(clusters);
  check_weights(problem, options, neighbors, sums);
  note_edges(neighbors - std::ssize(pairs.released) + std::ssize(pairs.attracted), sums.weight,
             sums.squared_weight, diagnostics);
  const std::vector<double> below =
      constrained_denominators(problem, options.form, constraints, sums.degrees);
  std::vector<double> scores(problem.cols(), kUndefined);
  for (Index r = 0; r < problem.cols(); ++r)
    if (varies[r] && below[r] > 0.0) scores[r] = 2.0 * sums.differences[r] / below[r];
  return rank_features(std::move(scores), Better::lower, std::move(diagnostics),
                       "csfs: no column has a positive denominator; raise bandwidth, or choose "
                       "another form");
}

}  // namespace tamis
