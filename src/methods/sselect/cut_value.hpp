#pragma once

#include <optional>

#include "graphs/graph.hpp"

namespace tamis {

/// The second smallest eigenvalue of the normalised Laplacian I - D^-1/2 S D^-1/2: how much it
/// costs to cut the graph in two. Exactly 0 if edges of positive weight leave it in several pieces.
/// Small graphs are solved densely, larger ones by Lanczos iteration in O(edges) memory; no value
/// if that does not converge. Deterministic.
std::optional<double> cut_value(const Graph& graph);

}  // namespace tamis
