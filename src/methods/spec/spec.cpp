#include "tamis/methods/spec.hpp"

#include <fmt/format.h>

#include <cmath>

#include "methods/class_spread.hpp"
#include "methods/preconditions.hpp"
#include "methods/spec/spectral_terms.hpp"
#include "prepare/condense.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

Index power_of(const SpecOptions& options) {
  return options.power.value_or(options.phi == 2 ? 4 : 1);
}

void warn_of_eigenpairs(const SpecOptions& options, Diagnostics& diagnostics) {
  if (options.n_eigenpairs && options.phi != 3)
    diagnostics.warnings.push_back(
        fmt::format("n_eigenpairs = {} changes nothing: phi {} looks at all eigenpairs",
                    *options.n_eigenpairs, options.phi));
}

/// phi 3 on the k smoothest eigenvectors, if they are not all.
bool needs_eigenpairs(const SpecOptions& options, Index rows) {
  return options.phi == 3 && options.n_eigenpairs && *options.n_eigenpairs < rows;
}

std::vector<double> scores(const SpectralTerms& terms, const SpecOptions& options,
                           bool has_eigenpairs) {
  constexpr double kRounding = 1e-12;
  const double gamma_of_2 = std::pow(2.0, static_cast<double>(power_of(options)));
  std::vector<double> scores(terms.squares.size(), kUndefined);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    if (!(terms.centered[r] > kRounding * terms.squares[r])) continue;
    // What phi 3 sums over all eigenpairs: gamma(2) g'g - g'L^p g.
    const double smooth =
        has_eigenpairs ? terms.smooth[r] : gamma_of_2 * terms.centered[r] - terms.rough[r];
    scores[r] = options.phi == 3
                    ? smooth / terms.squares[r]
                    : terms.rough[r] / (options.phi == 2 ? terms.centered : terms.squares)[r];
  }
  return scores;
}

/// S_ij = 1/n_c within class c makes D = I, and L takes class means off: L^p = L for every p, with
/// as many eigenvalues 0 as there are classes, the others 1.
SpectralTerms class_terms(const Problem& problem, const SpecOptions& options) {
  const auto [mean, between, within, varies, varies_within] = class_spread(problem);
  const auto labeled = static_cast<double>(labeled_rows(problem.known).size());
  const bool has_only_zeros =
      options.n_eigenpairs.value_or(problem.rows()) <= std::ssize(rows_by_class(problem.known));
  const double gamma_of_2 = std::pow(2.0, static_cast<double>(power_of(options)));
  SpectralTerms terms{.rough = within};
  for (Index r = 0; r < problem.cols(); ++r) {
    const double centered = varies[r] ? between[r] + within[r] : 0.0;
    terms.squares.push_back(centered + labeled * mean[r] * mean[r]);
    terms.centered.push_back(centered);
    terms.smooth.push_back(gamma_of_2 * between[r] +
                           (has_only_zeros ? 0.0 : (gamma_of_2 - 1.0) * within[r]));
  }
  return terms;
}

Ranking rank_by_classes(const Problem& problem, const SpecOptions& options,
                        Diagnostics diagnostics) {
  MethodInfo supervised = options.info;
  supervised.needs = Needs::classes;
  check_needs(supervised, problem);
  return rank_features(scores(class_terms(problem, options), options, true),
                       options.phi == 3 ? Better::higher : Better::lower, std::move(diagnostics),
                       constant_on_labeled_rows(options.info));
}

SmoothEigenpairs eigenpairs(const Graph& graph, const SpecOptions& options) {
  constexpr Index kMostNumbers = 100'000'000;
  if (!needs_eigenpairs(options, graph.n_rows)) return {};
  if (*options.n_eigenpairs > kMostNumbers / graph.n_rows)
    throw InvalidArgument(
        fmt::format("spec: n_eigenpairs = {} takes more than {} numbers for {} rows; lower it, "
                    "leave it at all, or condense the rows",
                    *options.n_eigenpairs, kMostNumbers, graph.n_rows));
  return smooth_eigenpairs(graph, *options.n_eigenpairs);
}

}  // namespace

Ranking spec(const Problem& given, const SpecOptions& options, const Run& run) {
  check_ranges(options.info.name, options);
  rankable_columns(options.info, given);
  Diagnostics diagnostics;
  warn_of_eigenpairs(options, diagnostics);
  if (options.similarity == SpecSimilarity::classes)
    return rank_by_classes(given, options, std::move(diagnostics));
  const auto condensed = condense(given, options.condense, run, diagnostics);
  const Problem& problem = condensed ? condensed->problem() : given;
  const Graph graph =
      similarity_graph(problem.matrix, options.graph, {}, run.progress, diagnostics);
  const SpectralTerms terms =
      spectral_terms(problem.matrix, graph, power_of(options), eigenpairs(graph, options));
  return rank_features(scores(terms, options, needs_eigenpairs(options, problem.rows())),
                       options.phi == 3 ? Better::higher : Better::lower, std::move(diagnostics),
                       "spec: every column is constant, or varies too little beside its mean, over "
                       "the rows that are joined with a positive weight; raise bandwidth or "
                       "n_neighbors, or centre the columns");
}

}  // namespace tamis
