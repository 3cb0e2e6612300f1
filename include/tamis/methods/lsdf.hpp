#pragma once

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/graphs/graph_options.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {

struct LsdfOptions {
  double gamma = 100.0;
  Index n_neighbors = 5;
  Symmetry symmetry = Symmetry::either;
  CondenseOptions condense = {};

  static constexpr MethodInfo info{
      .name = "lsdf",
      .title = "Locality sensitive discriminant feature",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference =
          "Zhao, Lu, He, Locality sensitive semi-supervised feature selection, "
          "Neurocomputing 71, 2008",
      .measures_distances = true,
      .streams = Streams::condensed,
      .streams_if = "condense=som"};
  static constexpr auto fields() {
    using Self = LsdfOptions;
    return joined(
        field_list(
            field("gamma", &Self::gamma, at_least(0),
                  "weight of a must-link; a neighbour edge at an unlabeled row weighs 1"),
            field("n_neighbors", &Self::n_neighbors, at_least(1),
                  "nearest rows joined to each row"),
            field("symmetry", &Self::symmetry,
                  "join two rows if either, or only if both, are among the other's nearest")),
        nested_fields(&Self::condense));
  }
};

/// Ranks features by the within-class graph over the cannot-links; lower is better:
/// (gamma sum_ML (f_i - f_j)^2 + sum_E (f_i - f_j)^2) / sum_CL (f_i - f_j)^2, where E are the edges
/// of the k-neighbour graph that touch an unlabeled row and are no must-links. Without cannot-links
/// the denominator is n times the variance.
///
/// Deterministic; O(n^2 m) for the exact graph, then O(nkm). Undefined: a constant column, and one
/// on which all cannot-linked rows agree.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if pairs contradict, or every column is undefined
Ranking lsdf(const Problem& problem, const LsdfOptions& options = {}, const Run& run = {});

}  // namespace tamis
