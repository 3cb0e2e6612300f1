#pragma once

#include <vector>

#include "graphs/graph.hpp"
#include "methods/spec/smooth_eigenpairs.hpp"

namespace tamis {

/// What the scores of SPEC are made of, by column: with g = D^1/2 (f - D-weighted mean of f), which
/// is D^1/2 f less its part along D^1/2 1, and L = I - D^-1/2 S D^-1/2.
struct SpectralTerms {
  std::vector<double> squares = {};   ///< |D^1/2 f|^2
  std::vector<double> centered = {};  ///< g'g
  std::vector<double> rough = {};     ///< g'L^p g
  std::vector<double> smooth = {};    ///< sum over given eigenpairs of (2^p - lambda^p)(xi'g)^2
};

/// Of the listed edges of the graph; each column in a unit of its own, a power of two, in which
/// none of its squares overflows or vanishes.
///
/// L^p g needs no eigenpairs: D^-1/2 L D^1/2 takes differences along edges, so half of the powers
/// are applied to f and the other half follows from g'L^2q g = |L^q g|^2. Sums of squares
/// throughout: nothing cancels. Deterministic for any number of threads.
/// @param pairs for `smooth`, which is 0 without any
SpectralTerms spectral_terms(const MatrixView& x, const Graph& graph, Index power,
                             const SmoothEigenpairs& pairs = {});

}  // namespace tamis
