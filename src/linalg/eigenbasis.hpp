#pragma once

#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// Eigenpairs of a symmetric matrix.
struct Eigenbasis {
  std::vector<double> values = {};  ///< largest first
  Buffer<double> vectors = {};      ///< as many x side: row a belongs to values[a]
};

/// Of a symmetric matrix of which the lower triangle (row-major, side x side) is read: vectors of
/// length 1, orthogonal also for equal eigenvalues. O(side^3) in blocked operations (LAPACK's
/// dsyevd), so it suits sides of thousands; leading_eigenpairs is for the first few of those.
Eigenbasis eigenbasis(Buffer<double> lower, Index side);

/// The same of the `count` largest eigenvalues alone, of few for sides of up to some hundreds: a
/// tridiagonal matrix of our own, whose pairs are LAPACK's (dstemr).
Eigenbasis leading_eigenbasis(const Buffer<double>& lower, Index side, Index count);

/// Of A x = lambda B x, B positive definite; both as above. Vectors have x'Bx = 1 (dsygvd).
Eigenbasis eigenbasis(Buffer<double> lower_a, Buffer<double> lower_b, Index side);

}  // namespace tamis
