#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/graphs/graph_options.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

/// Which rows are alike: neighbours in the table, or labeled rows of one class.
enum class SpecSimilarity { neighbors, classes };
constexpr auto option_words(SpecSimilarity) {
  return std::array{std::pair{std::string_view("neighbors"), SpecSimilarity::neighbors},
                    std::pair{std::string_view("classes"), SpecSimilarity::classes}};
}

struct SpecOptions {
  Index phi = 2;
  std::optional<Index> power = std::nullopt;
  std::optional<Index> n_eigenpairs = std::nullopt;
  SpecSimilarity similarity = SpecSimilarity::neighbors;
  GraphOptions graph = {};
  CondenseOptions condense = {};

  static constexpr MethodInfo info{
      .name = "spec",
      .title = "Spectral feature selection (SPEC)",
      .supervision = Supervision::unsupervised,
      .needs = Needs::nothing,
      .reference =
          "Zhao, Liu, Spectral feature selection for supervised and unsupervised learning, "
          "ICML 2007",
      .measures_distances = true,
      .streams = Streams::condensed,
      .streams_if = "condense=som"};
  static constexpr auto fields() {
    using Self = SpecOptions;
    return joined(
        field_list(
            field("phi", &Self::phi, between(1, 3),
                  "which ranking function of the paper: 1 and 2, of which lower is better, or 3"),
            field("power", &Self::power, between(1, 1000),
                  "eigenvalues count raised to it; auto: 4 for phi 2, 1 for phi 1 and 3"),
            field("n_eigenpairs", &Self::n_eigenpairs, at_least(2),
                  "smoothest eigenvectors that phi 3 looks at")
                .unset_as("all"),
            field("similarity", &Self::similarity,
                  "rows are alike that are neighbours, or labeled rows of one class")),
        nested_fields(&Self::graph), nested_fields(&Self::condense));
  }
};

/// Ranks features by how smooth they are on the graph of alike rows. With S the similarities, D
/// their sums, lambda_j and xi_j the eigenpairs of I - D^-1/2 S D^-1/2, xi_1 ~ D^1/2 1,
/// alpha_j = xi_j'D^1/2 f / |D^1/2 f| and gamma(lambda) = lambda^power:
///
///   phi 1: sum_j gamma(lambda_j) alpha_j^2                             (lower is better)
///   phi 2: the same over 1 - alpha_1^2                                 (lower)
///   phi 3: sum over j = 2 .. n_eigenpairs of (gamma(2) - gamma(lambda_j)) alpha_j^2   (higher)
///
/// Phi 2 with power 1 is laplacian_score. Similarity `classes`: labeled rows only, 1/n_c within
/// class c; phi 2 is then 1 / (1 + fisher_score) for every power.
///
/// Deterministic; O(n^2 m) for the exact graph, then O(nkm power). Eigenpairs are computed only for
/// n_eigenpairs below the number of rows; all that tie with the last one (1e-9) count. Undefined: a
/// column of which D^1/2 (f - its D-weighted mean) is at most 1e-6 of the length of D^1/2 f.
/// @throws InvalidArgument if an option is out of range, or n_eigenpairs asks for too much memory
/// @throws DataError if every column is undefined, or similarity `classes` lacks two classes
/// @throws ComputationError if eigenpairs do not converge
Ranking spec(const Problem& problem, const SpecOptions& options = {}, const Run& run = {});

}  // namespace tamis
