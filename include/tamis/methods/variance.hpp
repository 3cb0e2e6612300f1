#pragma once

#include "tamis/core/method.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct VarianceOptions {
  static constexpr MethodInfo info{.name = "variance",
                                   .title = "Variance",
                                   .supervision = Supervision::unsupervised,
                                   .needs = Needs::nothing,
                                   .reference = "the population variance of a feature",
                                   .streams = Streams::passes};
  static constexpr auto fields() { return field_list(); }
};

/// Ranks features by their population variance; higher is better. O(nm), deterministic.
/// A constant column has the score 0: here it is a value like any other.
Ranking variance(const Problem& problem, const VarianceOptions& options = {}, const Run& run = {});

}  // namespace tamis
