#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

/// Textbook algebra on small dense matrices, without any code of the library.
namespace tamis::test {

using Columns = std::vector<std::vector<double>>;  ///< one vector per column

inline double naive_dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double naive_mean(const std::vector<double>& a) {
  double sum = 0.0;
  for (const double value : a) sum += value;
  return sum / static_cast<double>(a.size());
}

inline std::vector<double> naive_centered(std::vector<double> a) {
  const double mean = naive_mean(a);
  for (double& value : a) value -= mean;
  return a;
}

struct NaiveEigenpairs {
  std::vector<double> values;  ///< largest first
  Columns vectors;
};

/// All eigenpairs of a symmetric matrix, by Jacobi's rotations.
inline NaiveEigenpairs naive_eigenpairs(Columns a) {
  const std::size_t n = a.size();
  Columns v(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) v[i][i] = 1.0;
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (std::abs(a[p][q]) < 1e-300) continue;
        const double theta = 0.5 * std::atan2(2.0 * a[p][q], a[p][p] - a[q][q]);
        const double c = std::cos(theta), s = std::sin(theta);
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x + s * y;
          a[k][q] = c * y - s * x;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[p][k], y = a[q][k], g = v[p][k], h = v[q][k];
          a[p][k] = c * x + s * y;
          a[q][k] = c * y - s * x;
          v[p][k] = c * g + s * h;
          v[q][k] = c * h - s * g;
        }
      }
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) { return a[i][i] > a[j][j]; });
  NaiveEigenpairs pairs;
  for (const std::size_t i : order) {
    pairs.values.push_back(a[i][i]);
    pairs.vectors.push_back(v[i]);
  }
  return pairs;
}

/// Eigenvectors as columns times the roots of the eigenvalues, largest first, positive ones only.
inline Columns naive_root(const Columns& a) {
  NaiveEigenpairs pairs = naive_eigenpairs(a);
  Columns roots;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (pairs.values[i] <= 1e-10 * std::max(1e-3, pairs.values[0])) break;
    for (double& value : pairs.vectors[i]) value *= std::sqrt(pairs.values[i]);
    roots.push_back(pairs.vectors[i]);
  }
  return roots;
}

/// A x = b by elimination.
inline std::vector<double> naive_solve(Columns a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t i = p + 1; i < n; ++i) {
      const double factor = a[i][p] / a[p][p];
      for (std::size_t k = p; k < n; ++k) a[i][k] -= factor * a[p][k];
      b[i] -= factor * b[p];
    }
  for (std::size_t p = n; p-- > 0;) {
    for (std::size_t k = p + 1; k < n; ++k) b[p] -= a[p][k] * b[k];
    b[p] /= a[p][p];
  }
  return b;
}

}  // namespace tamis::test
