#include "methods/ridge_omp/kernel_ridge.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "linalg/conjugate_gradients.hpp"
#include "linalg/gemm.hpp"
#include "methods/ridge_omp/known_rows.hpp"

namespace tamis {
namespace {

/// Known rows whose mean squared distance from their mean is below this share of the largest
/// possible are alike.
constexpr double kAlike = 1e-20;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double total_spread(const RankedTable& z) {
  double total = 0.0;
  for (const double spread : z.spread()) total += spread;
  return total;
}

/// Subtracts the mean of the rows from a panel and multiplies column r by sqrt(G_r).
void center_and_scale(const RankedTable& z, Index l, KnownPanel& panel) {
  for (Index r = 0; r < panel.width; ++r) {
    double mean = 0.0;
    for (Index s = 0; s < l; ++s) mean += panel.values[s * panel.width + r];
    mean /= static_cast<double>(l);
    const double root = std::sqrt(z.spread()[panel.first + r]);
    for (Index s = 0; s < l; ++s) {
      double& value = panel.values[s * panel.width + r];
      value = root * (value - mean);
    }
  }
}

/// The equations of ridge regression, K + c I with c = lambda tr(K)/l, by their Cholesky factor.
struct FactoredRidge {
  double strength = 0.0;  ///< c; 0 if K is
  Eigen::LLT<RowMajor> factor = {};
};

FactoredRidge factored_ridge(const RankedTable& z, std::span<const Index> known, double lambda) {
  const Index l = std::ssize(known);
  Buffer<double> products = known_kernel(z, known);
  Eigen::Map<RowMajor> kernel(products.data(), l, l);
  const double mean_diagonal = kernel.trace() / static_cast<double>(l);
  if (mean_diagonal <= kAlike * total_spread(z)) return {};
  FactoredRidge ridge{.strength = lambda * mean_diagonal};
  kernel.diagonal().array() += ridge.strength;
  ridge.factor = kernel.selfadjointView<Eigen::Lower>().llt();
  return ridge;
}

RowVectors solve_by_factor(const FactoredRidge& ridge, const RowVectors& values) {
  RowVectors coefficients = values;
  Eigen::Map<RowMajor> solution(coefficients.values.data(), values.rows(), values.width);
  solution = ridge.factor.solve(solution);
  return coefficients;
}

/// lambda tr(K)/l without the kernel; 0 if K is.
double ridge_strength(const RankedTable& z, std::span<const Index> known, double lambda) {
  const Index l = std::ssize(known);
  double trace = 0.0;
  for_each_known_panel(z, known, [&](KnownPanel& panel) {
    center_and_scale(z, l, panel);
    for (const double value : panel.values) trace += value * value;
  });
  const double mean_diagonal = trace / static_cast<double>(l);
  return mean_diagonal <= kAlike * total_spread(z) ? 0.0 : lambda * mean_diagonal;
}

/// The same without the kernel: K v = A (A'v) with A = (Z_known - mu) diag(sqrt(G)).
RowVectors solve_by_products(const RankedTable& z, std::span<const Index> known,
                             const RowVectors& values, double strength) {
  const Index l = std::ssize(known);
  const Index width = values.width;
  Buffer<double> all(z.rows() * width);
  Buffer<double> inner(z.cols() * width);
  const auto apply = [&](const RowVectors& v) {
    RowVectors centred = v;
    center(centred);
    std::ranges::fill(all, 0.0);
    for (Index s = 0; s < l; ++s) std::copy_n(centred.row(s), width, &all[known[s] * width]);
    z.multiply_transposed(all.data(), width, inner.data());
    for (Index e = 0; e < std::ssize(inner); ++e) inner[e] *= z.spread()[e / width];
    z.multiply(inner.data(), width, all.data());
    for (Index s = 0; s < l; ++s) std::copy_n(&all[known[s] * width], width, centred.row(s));
    center(centred);
    for (Index e = 0; e < std::ssize(v.values); ++e) centred.values[e] += strength * v.values[e];
    return centred;
  };
  return conjugate_gradients(apply, values, z.is_single() ? 1e-6 : 1e-12);
}

/// (K + lambda tr(K)/l I)^-1 values; empty if K is 0.
RowVectors solve_ridge(const RankedTable& z, std::span<const Index> known, const RowVectors& values,
                       double lambda) {
  if (std::ssize(known) <= kLargestKernel) {
    const FactoredRidge ridge = factored_ridge(z, known, lambda);
    return ridge.strength == 0.0 ? RowVectors{} : solve_by_factor(ridge, values);
  }
  const double strength = ridge_strength(z, known, lambda);
  return strength == 0.0 ? RowVectors{} : solve_by_products(z, known, values, strength);
}

std::vector<double> residuals_by_factor(const FactoredRidge& ridge, const RowVectors& values) {
  const Index l = values.rows();
  const RowVectors solution = solve_by_factor(ridge, values);
  // A = L L', so that (A^-1)_ii is the squared length of column i of L^-1.
  const RowMajor inverse = ridge.factor.matrixL().solve(RowMajor::Identity(l, l));
  std::vector<double> residuals;
  for (Index i = 0; i < l; ++i)
    residuals.push_back(
        ridge.strength * solution.values[i] /
        (ridge.strength * inverse.col(i).squaredNorm() - 1.0 / static_cast<double>(l)));
  return residuals;
}

/// The mean diagonal of A^-1 is that of v'A^-1 v / l over vectors v of random signs.
std::vector<double> residuals_by_products(const RankedTable& z, std::span<const Index> known,
                                          const RowVectors& values, double strength) {
  constexpr Index kProbes = 32;
  const Index l = std::ssize(known);
  RandomStream random(0);
  RowVectors right{1 + kProbes, Buffer<double>(l * (1 + kProbes))};
  for (Index s = 0; s < l; ++s) {
    right.row(s)[0] = values.values[s];
    for (Index p = 1; p <= kProbes; ++p) right.row(s)[p] = random.below(2) == 0 ? -1.0 : 1.0;
  }
  const RowVectors solution = solve_by_products(z, known, right, strength);
  double trace = 0.0;
  for (Index s = 0; s < l; ++s)
    for (Index p = 1; p <= kProbes; ++p)
      trace += right.row(s)[p] * solution.row(s)[p] / static_cast<double>(kProbes);
  std::vector<double> residuals;
  for (Index s = 0; s < l; ++s)
    residuals.push_back(static_cast<double>(l) * strength * solution.row(s)[0] /
                        (strength * trace - 1.0));
  return residuals;
}

/// diag(G) (Z_known - mu)' coefficients, whose products with a row are its values up to a constant.
RowVectors column_coefficients(const RankedTable& z, std::span<const Index> known,
                               RowVectors coefficients) {
  center(coefficients);  // instead of the rows
  RowVectors result{coefficients.width, Buffer<double>(z.cols() * coefficients.width, 0.0)};
  for_each_known_panel(z, known, [&](KnownPanel& panel) {
    double* const out = result.row(panel.first);
    add_transposed_product(panel.values.data(), panel.width, coefficients.values.data(),
                           panel.width, std::ssize(known), coefficients.width, out);
    for (Index e = 0; e < panel.width * coefficients.width; ++e)
      out[e] *= z.spread()[panel.first + e / coefficients.width];
  });
  return result;
}

}  // namespace

Buffer<double> known_kernel(const RankedTable& z, std::span<const Index> known) {
  const Index l = std::ssize(known);
  Buffer<double> kernel(l * l, 0.0);
  for_each_known_panel(z, known, [&](KnownPanel& panel) {
    center_and_scale(z, l, panel);
    add_row_products(panel.values.data(), l, panel.width, kernel.data());
  });
  return kernel;
}

RowVectors ridge_coefficients(const RankedTable& z, std::span<const Index> known,
                              const RowVectors& values, double lambda) {
  RowVectors of_rows = solve_ridge(z, known, values, lambda);
  if (of_rows.values.empty()) return {};
  return column_coefficients(z, known, std::move(of_rows));
}

std::vector<double> left_out_residuals(const RankedTable& z, std::span<const Index> known,
                                       const RowVectors& values, double lambda) {
  if (std::ssize(known) <= kLargestKernel) {
    const FactoredRidge ridge = factored_ridge(z, known, lambda);
    return ridge.strength == 0.0 ? std::vector<double>{} : residuals_by_factor(ridge, values);
  }
  const double strength = ridge_strength(z, known, lambda);
  return strength == 0.0 ? std::vector<double>{}
                         : residuals_by_products(z, known, values, strength);
}

RowVectors kernel_ridge(const RankedTable& z, std::span<const Index> known,
                        const RowVectors& values, double lambda) {
  const Index width = values.width;
  RowVectors spread{width, Buffer<double>(z.rows() * width, 0.0)};
  const RowVectors coefficients = ridge_coefficients(z, known, values, lambda);
  if (coefficients.values.empty()) return spread;
  z.multiply(coefficients.values.data(), width, spread.values.data());
  std::vector<double> at_mean(width, 0.0);
  for (const Index row : known)
    for (Index c = 0; c < width; ++c)
      at_mean[c] += spread.row(row)[c] / static_cast<double>(known.size());
  for (Index i = 0; i < z.rows(); ++i)
    for (Index c = 0; c < width; ++c) spread.row(i)[c] -= at_mean[c];
  return spread;
}

}  // namespace tamis
