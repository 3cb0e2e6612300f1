#pragma once

#include <vector>

#include "graphs/graph.hpp"

namespace tamis {

/// Eigenpairs of the normalised Laplacian I - D^-1/2 S D^-1/2 of a graph, of which only the listed
/// edges count. A row without edges is a row of zeros, and its unit vector an eigenvector of 0.
struct SmoothEigenpairs {
  std::vector<double> values = {};
  std::vector<double> vectors = {};  ///< row-major: rows of the graph x values
};

/// Those with the k smallest eigenvalues, and all that tie with the last of them (1e-9); of rows
/// without edges none are listed, though they count. With the eigenvectors of 0 comes D^1/2 1.
///
/// Dense up to 300 rows, beyond by Lanczos iterations that are repeated until no eigenvector of an
/// equal eigenvalue is missing, in O(kn) memory. Deterministic.
/// @throws ComputationError if they do not converge
SmoothEigenpairs smooth_eigenpairs(const Graph& graph, Index k);

}  // namespace tamis
