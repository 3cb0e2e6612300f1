#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tamis/methods/csfsr.hpp"

/// What csfsr makes of the ranking of its base, wherever correlations come from.
namespace tamis {

/// The best features that have a score; warns if someone asked for more.
std::vector<Index> redundancy_candidates(const CsfsrOptions& options, Ranking& ranking);

/// @param tree of the candidates
/// @param mean_correlation mean |rho| over the pairs of those that are kept
Ranking without_redundant(Ranking ranking, const CsfsrOptions& options,
                          std::span<const Index> candidates, std::vector<Redundancy::Edge> tree,
                          const std::function<double(std::span<const Index>)>& mean_correlation);

}  // namespace tamis
