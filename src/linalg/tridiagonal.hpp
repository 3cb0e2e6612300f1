#pragma once

#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// A symmetric matrix as Q T Q', with T tridiagonal and Q a product of reflections (Golub and Van
/// Loan, Matrix Computations, 8.3.1), by sums of a fixed order: the bits are the same on every
/// machine. For sides of up to some hundreds, of which a BLAS spends most time on calls.
class Tridiagonal {
 public:
  /// Of the lower triangle (row-major, side x side), as LAPACK reads it.
  Tridiagonal(const Buffer<double>& lower, Index side);

  const std::vector<double>& diagonal() const { return diagonal_; }
  /// One number less than the diagonal has.
  const std::vector<double>& beside() const { return beside_; }
  /// vector = Q vector
  void rotate_back(double* vector) const;

 private:
  void reflect(Index k, std::vector<double>& product);

  Index side_;
  Index stride_;                // of rows, which end in zeros
  Buffer<double> rows_;         // row k becomes the vector of reflection k
  std::vector<double> scales_;  // reflection k is I - scale v v'
  std::vector<double> diagonal_;
  std::vector<double> beside_;
};

}  // namespace tamis
