#pragma once

#include <functional>
#include <vector>

#include "support/sample.hpp"

/// The definitions word for word on n x n matrices: slow, obvious, and without any code of the
/// library. Lives in tests only.
namespace tamis::test {

/// A square matrix over the rows of a table.
struct RowMatrix {
  explicit RowMatrix(Index rows) : n(rows), values(rows * rows, 0.0) {}
  double& operator()(Index i, Index j) { return values[i * n + j]; }
  double operator()(Index i, Index j) const { return values[i * n + j]; }
  void set(Index i, Index j, double value) { values[i * n + j] = values[j * n + i] = value; }

  Index n;
  std::vector<double> values;
};

RowMatrix naive_squared_distances(const Dense& x);

/// 1 where i is among the k nearest of j or j of i (`mutual`: and), sought among `rows`; else 0.
RowMatrix naive_neighbors(const RowMatrix& squared, Index k, const std::vector<Index>& rows,
                          bool mutual = false);

/// exp(-d^2 / t) where `edges` is 1, else 0.
RowMatrix naive_heat_weights(const RowMatrix& squared, const RowMatrix& edges, double t);

/// Mean of d^2 over all pairs of rows.
double naive_mean_distance(const RowMatrix& squared);

/// 1 for each pair that labels or given pairs make a must-link (cannot-link); else 0.
RowMatrix naive_must_links(const Sample& sample);
RowMatrix naive_cannot_links(const Sample& sample);

/// The sum over pairs i < j of weight(i, j) * (f_i - f_j)^2 for column r.
double naive_pair_sum(const Dense& x, Index r, const RowMatrix& weight);

std::vector<double> naive_degrees(const RowMatrix& weights);
std::vector<Index> naive_all(Index rows);
bool is_constant(const Dense& x, Index r);

/// One score per column; NaN for columns that are constant.
std::vector<double> naive_scores(const Dense& x, const std::function<double(Index)>& score);

/// Section "laplacian_score" of the documentation on a weight matrix.
double naive_laplacian_score(const Dense& x, Index r, const RowMatrix& weights);

}  // namespace tamis::test
