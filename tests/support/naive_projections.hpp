#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/naive.hpp"
#include "support/naive_algebra.hpp"
#include "support/naive_weighted_kmeans.hpp"
#include "support/sample.hpp"
#include "tamis/projections/projection.hpp"

/// Projections by their literal m x m matrices, in plain loops; slow and obvious.
namespace tamis::test {

inline Columns naive_zeros(std::size_t side) { return Columns(side, std::vector<double>(side)); }

/// a += factor d d'
inline void add_outer(Columns& a, const std::vector<double>& d, double factor) {
  for (std::size_t r = 0; r < d.size(); ++r)
    for (std::size_t s = 0; s < d.size(); ++s) a[r][s] += factor * d[r] * d[s];
}

inline std::vector<double> naive_row(const Dense& x, Index i) {
  return {x.values.begin() + i * x.cols, x.values.begin() + (i + 1) * x.cols};
}

inline std::vector<double> naive_difference(const std::vector<double>& a,
                                            const std::vector<double>& b) {
  std::vector<double> d(a);
  for (std::size_t r = 0; r < d.size(); ++r) d[r] -= b[r];
  return d;
}

inline std::vector<double> naive_mean_row(const Dense& x, const std::vector<Index>& rows) {
  std::vector<double> mean(x.cols, 0.0);
  for (const Index i : rows)
    for (Index r = 0; r < x.cols; ++r) mean[r] += x(i, r) / static_cast<double>(rows.size());
  return mean;
}

/// X_c'X_c / n
inline Columns naive_covariance(const Dense& x) {
  Columns a = naive_zeros(x.cols);
  const std::vector<double> mean = naive_mean_row(x, naive_all(x.rows));
  for (Index i = 0; i < x.rows; ++i)
    add_outer(a, naive_difference(naive_row(x, i), mean), 1.0 / static_cast<double>(x.rows));
  return a;
}

/// a += factor / (sum of weights) * sum over pairs of weight d d'
inline void add_pair_mean(Columns& a, const Dense& x, const RowMatrix& weights, double factor) {
  double total = 0.0;
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < i; ++j) total += weights(i, j);
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < i; ++j)
      if (weights(i, j) > 0.0)
        add_outer(a, naive_difference(naive_row(x, i), naive_row(x, j)),
                  factor * weights(i, j) / total);
}

/// Groups of at least two rows that must-links join.
inline std::vector<std::vector<Index>> naive_chunklets(const Sample& sample) {
  const NaiveLinks links(sample);
  std::vector<std::vector<Index>> chunklets;
  std::vector<bool> seen(sample.x.rows, false);
  for (Index i = 0; i < sample.x.rows; ++i) {
    std::vector<Index> rows{i};
    for (Index j = i + 1; j < sample.x.rows; ++j)
      if (links.must(i, j) > 0.0) rows.push_back(j);
    if (!seen[i] && rows.size() > 1) chunklets.push_back(rows);
    for (const Index row : rows) seen[row] = true;
  }
  return chunklets;
}

/// The mean of (x - m_c)(x - m_c)' over all rows in chunklets.
inline Columns naive_within(const Sample& sample) {
  Columns a = naive_zeros(sample.x.cols);
  double count = 0.0;
  for (const auto& rows : naive_chunklets(sample)) count += static_cast<double>(rows.size());
  for (const auto& rows : naive_chunklets(sample))
    for (const Index i : rows)
      add_outer(a, naive_difference(naive_row(sample.x, i), naive_mean_row(sample.x, rows)),
                1.0 / count);
  return a;
}

inline std::vector<double> naive_times(const Columns& symmetric, const std::vector<double>& v) {
  std::vector<double> product;
  for (const auto& column : symmetric) product.push_back(naive_dot(column, v));
  return product;
}

/// B'AB for vectors B.
inline Columns naive_restricted(const Columns& a, const Columns& vectors) {
  Columns inner;
  for (const auto& u : vectors) {
    inner.emplace_back();
    for (const auto& v : vectors) inner.back().push_back(naive_dot(u, naive_times(a, v)));
  }
  return inner;
}

/// sum_a weights[a] vectors[a]
inline std::vector<double> naive_combination(const Columns& vectors,
                                             const std::vector<double>& weights) {
  std::vector<double> sum(vectors.front().size(), 0.0);
  for (std::size_t a = 0; a < vectors.size(); ++a)
    for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += weights[a] * vectors[a][r];
  return sum;
}

/// An orthonormal basis of what the rows span: directions of variance.
inline Columns naive_row_space(const Dense& x) {
  const NaiveEigenpairs pairs = naive_eigenpairs(naive_covariance(x));
  Columns basis;
  for (std::size_t a = 0; a < pairs.values.size(); ++a)
    if (pairs.values[a] > 1e-12 * pairs.values[0]) basis.push_back(pairs.vectors[a]);
  return basis;
}

inline std::vector<double> with_naive_sign(std::vector<double> v) {
  double largest = 0.0;
  for (const double entry : v) largest = std::max(largest, std::abs(entry));
  const auto first = std::ranges::find_if(
      v, [&](double entry) { return std::abs(entry) >= largest * (1.0 - 1e-9); });
  if (*first < 0.0)
    for (double& entry : v) entry = -entry;
  return v;
}

struct NaiveProjection {
  std::vector<double> eigenvalues;
  Columns components;
};

/// The eigenvectors of a within the space of the rows, those of equal eigenvalues by variance.
inline NaiveProjection naive_symmetric_projection(const Dense& x, const Columns& a) {
  const Columns basis = naive_row_space(x);
  const NaiveEigenpairs pairs = naive_eigenpairs(naive_restricted(a, basis));
  const double tolerance =
      1e-9 * std::max(std::abs(pairs.values.front()), std::abs(pairs.values.back()));
  Columns vectors;
  for (const auto& vector : pairs.vectors) vectors.push_back(naive_combination(basis, vector));
  NaiveProjection result;
  for (std::size_t begin = 0, end = 0; begin < vectors.size(); begin = end) {
    for (end = begin + 1;
         end < vectors.size() && pairs.values[end - 1] - pairs.values[end] <= tolerance;)
      ++end;
    const Columns group(vectors.begin() + static_cast<Index>(begin),
                        vectors.begin() + static_cast<Index>(end));
    const NaiveEigenpairs turn = naive_eigenpairs(naive_restricted(naive_covariance(x), group));
    for (const auto& vector : turn.vectors)
      result.components.push_back(with_naive_sign(naive_combination(group, vector)));
  }
  for (const double value : pairs.values)
    result.eigenvalues.push_back(std::abs(value) <= tolerance ? 0.0 : value);
  return result;
}

/// S_w + e I within the space of the rows, which is where it is needed.
inline Columns naive_ridged_within(const Sample& sample, const Columns& basis, double ridge) {
  Columns within = naive_restricted(naive_within(sample), basis);
  double trace = 0.0;
  const Columns total = naive_covariance(sample.x);
  for (std::size_t r = 0; r < total.size(); ++r) trace += total[r][r];
  for (std::size_t a = 0; a < within.size(); ++a)
    within[a][a] += ridge * trace / static_cast<double>(basis.size());
  return within;
}

/// S_t a = lambda (S_w + e I) a by the root of S_w + e I; a'(S_w + e I)a = 1.
inline NaiveProjection naive_chunklet_projection(const Sample& sample, double ridge) {
  const Columns basis = naive_row_space(sample.x);
  const NaiveEigenpairs within = naive_eigenpairs(naive_ridged_within(sample, basis, ridge));
  Columns whitened;
  for (std::size_t a = 0; a < basis.size(); ++a) {
    std::vector<double> direction = naive_combination(basis, within.vectors[a]);
    for (double& entry : direction) entry /= std::sqrt(within.values[a]);
    whitened.push_back(direction);
  }
  const NaiveEigenpairs pairs =
      naive_eigenpairs(naive_restricted(naive_covariance(sample.x), whitened));
  NaiveProjection result{pairs.values, {}};
  for (const auto& vector : pairs.vectors)
    result.components.push_back(with_naive_sign(naive_combination(whitened, vector)));
  return result;
}

/// The first components of the reference, one after the other.
inline std::vector<double> first_components(const NaiveProjection& naive, Index count) {
  std::vector<double> entries;
  for (Index c = 0; c < count; ++c)
    entries.insert(entries.end(), naive.components[c].begin(), naive.components[c].end());
  return entries;
}

inline std::vector<double> entries_of(const DenseTable<double>& table) {
  return {table.values.begin(), table.values.end()};
}

/// A projection and the reference agree.
inline void expect_projection_near(const Projection& found, const NaiveProjection& naive,
                                   double tolerance) {
  const Index count = found.components.rows;
  EXPECT_EQ(found.rank, std::ssize(naive.components));
  expect_scores_near(found.eigenvalues,
                     {naive.eigenvalues.begin(), naive.eigenvalues.begin() + count}, tolerance);
  expect_scores_near(entries_of(found.components), first_components(naive, count), tolerance);
}

}  // namespace tamis::test
