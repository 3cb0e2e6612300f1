#pragma once

#include <span>
#include <vector>

#include "graphs/graph.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// Rows that machines see: n x m numbers, row-major, those that are labeled, and edges.
struct ManifoldRows {
  Index rows = 0;
  Index cols = 0;
  Buffer<double> values = {};
  std::vector<Index> labeled = {};
  std::vector<std::vector<Index>> neighbors = {};  ///< of each row

  /// X'v
  std::vector<double> along(std::span<const double> v) const;
  /// L v, L being the Laplacian of the graph / n^2, for `width` vectors at once, row-major.
  Buffer<double> roughness(std::span<const double> v, Index width) const;
};

/// A support vector machine on the labeled rows that is smooth on the graph of all.
class SmoothMachine {
 public:
  /// What it says of weights p.
  struct Value {
    double objective = 0.0;             ///< J(p)
    std::vector<double> gradient = {};  ///< dJ/dp_j = -1/2 (beta'(I + rho K L)^-1 x_j)^2
    std::vector<double> alpha = {};
  };

  SmoothMachine(const ManifoldRows& x, std::span<const double> signs, double cost,
                double smoothness)
      : x_(x), signs_(signs), cost_(cost), smoothness_(smoothness) {}

  /// @param start alphas to begin with, or none
  Value at(std::span<const double> p, std::vector<double> start = {}) const;

 private:
  /// M of all rows (n) with the labeled ones (l), row-major n x l.
  Buffer<double> kernel(std::span<const double> p) const;
  Buffer<double> kernel_by_columns(const Buffer<double>& weighted, Index width) const;
  Buffer<double> kernel_by_rows(const Buffer<double>& weighted, Index width) const;

  const ManifoldRows& x_;
  std::span<const double> signs_;
  double cost_;
  double smoothness_;
};

}  // namespace tamis
