#include "tamis/methods/csfs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clustering/ward/agglomerative.hpp"
#include "constraints/coherence.hpp"
#include "graphs/graph.hpp"
#include "graphs/heat_kernel.hpp"
#include "methods/constrained_denominator.hpp"
#include "methods/csfs/adaptive_sums.hpp"
#include "methods/csfs/neighborhood.hpp"
#include "methods/preconditions.hpp"
#include "prepare/condense.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

KeptConstraints kept_constraints(const Problem& problem, const CsfsOptions& options, const Run& run,
                                 Diagnostics& diagnostics) {
  ConstraintSet all(problem.known, problem.rows());
  check_form(options.info, options.form, all);
  if (!options.select_constraints) return {std::move(all), std::nullopt};
  CoherenceMeter meter(problem.matrix, all, options.max_pairs, run);
  diagnostics.figures.emplace_back("coherence", meter.of_set());
  if (meter.standard_error())
    diagnostics.figures.emplace_back("coherence_standard_error", *meter.standard_error());
  return {std::move(all), std::move(meter)};
}

Neighborhood neighborhood(const MatrixView& x, const CsfsOptions& options, const Run& run,
                          Diagnostics& diagnostics) {
  if (options.neighbors == CsfsNeighbors::nearest)
    return Neighborhood(
        neighbor_graph(x, {.n_neighbors = options.n_neighbors}, {}, run.progress, diagnostics));
  std::vector<Index> clusters =
      davies_bouldin_cut(x, ward_linkage(x, run.progress), options.max_clusters);
  diagnostics.figures.emplace_back("clusters", static_cast<double>(std::ranges::max(clusters) + 1));
  return Neighborhood(std::move(clusters));
}

PairWeight pair_weight(const MatrixView& x, const CsfsOptions& options,
                       const Neighborhood& neighbors) {
  double unit = 1.0;
  if (options.bandwidth_unit == BandwidthUnit::mean_distance) unit = mean_squared_distance(x);
  if (options.bandwidth_unit == BandwidthUnit::mean_edge) unit = neighbors.mean_distance(x);
  return {options.kernel, options.bandwidth * unit};
}

/// S must weigh something: it makes the degrees.
void check_weights(const Problem& problem, const CsfsOptions& options, const AdaptiveSums& sums) {
  if (sums.neighbors == 0)
    throw DataError(
        "csfs: no two rows share a cluster, so that there are no neighbours; lower max_clusters");
  for (const double degree : sums.degrees)
    if (degree > 0.0) return;
  throw DataError(fmt::format(
      "csfs: all {} heat-kernel weights underflow to 0: bandwidth = {} with bandwidth_unit = {} is "
      "too small for a mean squared distance of {:.6g}; raise it, or take bandwidth_unit = "
      "mean_distance",
      sums.neighbors, options.bandwidth, word_of(options.bandwidth_unit),
      mean_squared_distance(problem.matrix)));
}

std::vector<double> denominators(const Problem& problem, ClsForm form,
                                 const KeptConstraints& constraints, const AdaptiveSums& sums,
                                 const Run& run, Diagnostics& diagnostics) {
  const ConstraintSet& all = constraints.all();
  const KeptCannotLinks cannot_links =
      kept_cannot_links(problem.matrix, constraints, sums.degrees, run.progress);
  diagnostics.dropped_constraints =
      all.n_must_link() + all.n_cannot_link() - sums.must_links - cannot_links.count;
  if (form == ClsForm::matrix)
    return matrix_denominators(problem.matrix, listed_cannot_links(constraints), sums.degrees);
  return constrained_denominators(problem, form, cannot_links.terms, sums.degrees);
}

/// Either kind of neighbours has an option that the other does not look at.
void warn_of_idle_options(const CsfsOptions& options, Diagnostics& diagnostics) {
  const bool are_nearest = options.neighbors == CsfsNeighbors::nearest;
  if (are_nearest && options.max_clusters)
    diagnostics.warnings.emplace_back("csfs: max_clusters counts only with neighbors = clusters");
  if (!are_nearest && options.n_neighbors != CsfsOptions{}.n_neighbors)
    diagnostics.warnings.emplace_back("csfs: n_neighbors counts only with neighbors = nearest");
}

}  // namespace

Ranking csfs(const Problem& given, const CsfsOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  check_needs(options.info, given);
  if (options.select_constraints)
    refuse_pair_weights("csfs, which selects constraints by their coherence,", given.known);
  const std::vector<bool> varies = rankable_columns(options.info, given);
  Diagnostics diagnostics;
  warn_if_unsupervised(options.info, given.known, diagnostics);
  warn_of_idle_options(options, diagnostics);
  const auto condensed = condense(given, options.condense, run, diagnostics);
  const Problem& problem = condensed ? condensed->problem() : given;
  const KeptConstraints constraints = kept_constraints(problem, options, run, diagnostics);
  const Neighborhood neighbors = neighborhood(problem.matrix, options, run, diagnostics);
  const PairWeight weight = pair_weight(problem.matrix, options, neighbors);
  const AdaptiveSums sums =
      adaptive_sums(problem.matrix, constraints, neighbors, weight, run.progress);
  check_weights(problem, options, sums);
  note_edges(sums.edges, sums.weight, sums.squared_weight, diagnostics);
  const std::vector<double> below =
      denominators(problem, options.form, constraints, sums, run, diagnostics);
  std::vector<double> scores(problem.cols(), kUndefined);
  for (Index r = 0; r < problem.cols(); ++r)
    if (varies[r] && below[r] > 0.0) scores[r] = 2.0 * sums.differences[r] / below[r];
  return rank_features(std::move(scores), Better::lower, std::move(diagnostics),
                       "csfs: no column has a positive denominator; raise bandwidth, or choose "
                       "another form");
}

}  // namespace tamis
