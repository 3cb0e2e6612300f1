#include "methods/fs_manifold/smooth_machine.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "learners/svm_dual.hpp"
#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr double kTolerance = 1e-6;
constexpr Index kBlockRows = 64;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The given rows of a matrix, row-major.
RowMajor some_rows(const Buffer<double>& values, Index width, std::span<const Index> rows) {
  RowMajor some(std::ssize(rows), width);
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index c = 0; c < width; ++c) some(s, c) = values[rows[s] * width + c];
  return some;
}

}  // namespace

std::vector<double> ManifoldRows::along(std::span<const double> v) const {
  std::vector<double> sums(cols, 0.0);
  add_transposed_product(values.data(), cols, v.data(), cols, rows, 1, sums.data());
  return sums;
}

Buffer<double> ManifoldRows::roughness(std::span<const double> v, Index width) const {
  Buffer<double> out(rows * width, 0.0);
  const double unit = 1.0 / (static_cast<double>(rows) * static_cast<double>(rows));
  parallel_for(rows, kBlockRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double* const sums = out.data() + i * width;
      for (const Index j : neighbors[i])
        for (Index c = 0; c < width; ++c) sums[c] += v[i * width + c] - v[j * width + c];
      for (Index c = 0; c < width; ++c) sums[c] *= unit;
    }
  });
  return out;
}

/// K = BB' with B = X sqrt(p), so M = (I + rho BB'L)^-1 BB' = B (I + rho B'LB)^-1 B'.
Buffer<double> SmoothMachine::kernel_by_columns(const Buffer<double>& weighted, Index width) const {
  const Buffer<double> rough = x_.roughness(weighted, width);
  RowMajor system = RowMajor::Zero(width, width);
  add_transposed_product(weighted.data(), width, rough.data(), width, x_.rows, width,
                         system.data());
  system *= smoothness_;
  system.diagonal().array() += 1.0;
  const Eigen::MatrixXd of_labeled = some_rows(weighted, width, x_.labeled).transpose();
  const RowMajor solved = system.selfadjointView<Eigen::Lower>().llt().solve(of_labeled);
  Buffer<double> kernel(x_.rows * std::ssize(x_.labeled));
  multiply(weighted.data(), solved.data(), x_.rows, width, std::ssize(x_.labeled), kernel.data());
  return kernel;
}

/// More columns of weight than rows: (I + rho K L) M = K as it stands.
Buffer<double> SmoothMachine::kernel_by_rows(const Buffer<double>& weighted, Index width) const {
  const Index n = x_.rows;
  RowMajor products = RowMajor::Zero(n, n);
  add_row_products(weighted.data(), n, width, products.data());
  products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
  const Buffer<double> rough = x_.roughness({products.data(), static_cast<std::size_t>(n * n)}, n);
  // K is symmetric, so what was made of its rows is LK = (KL)'.
  Eigen::MatrixXd system = smoothness_ * Eigen::Map<const RowMajor>(rough.data(), n, n).transpose();
  system.diagonal().array() += 1.0;
  Eigen::MatrixXd of_labeled(n, std::ssize(x_.labeled));
  for (Index s = 0; s < of_labeled.cols(); ++s)
    of_labeled.col(s) = products.row(x_.labeled[s]).transpose();
  Buffer<double> kernel(n * of_labeled.cols());
  Eigen::Map<RowMajor>(kernel.data(), n, of_labeled.cols()) = system.lu().solve(of_labeled);
  return kernel;
}

Buffer<double> SmoothMachine::kernel(std::span<const double> p) const {
  std::vector<Index> counting;
  for (Index r = 0; r < x_.cols; ++r)
    if (p[r] > 0.0) counting.push_back(r);
  const Index width = std::ssize(counting);
  Buffer<double> weighted(x_.rows * width);
  for (Index i = 0; i < x_.rows; ++i)
    for (Index c = 0; c < width; ++c)
      weighted[i * width + c] = std::sqrt(p[counting[c]]) * x_.values[i * x_.cols + counting[c]];
  return width <= x_.rows ? kernel_by_columns(weighted, width) : kernel_by_rows(weighted, width);
}

SmoothMachine::Value SmoothMachine::at(std::span<const double> p, std::vector<double> start) const {
  const Index l = std::ssize(x_.labeled);
  const Buffer<double> with_labeled = kernel(p);
  Buffer<double> of_labeled(l * l);
  for (Index a = 0; a < l; ++a)
    for (Index b = 0; b < l; ++b)  // equal both ways but for rounding
      of_labeled[a * l + b] =
          0.5 * (with_labeled[x_.labeled[a] * l + b] + with_labeled[x_.labeled[b] * l + a]);
  SvmDual dual = solve_svm_dual(of_labeled, signs_, cost_, kTolerance, std::move(start));
  // x_j'(I + rho K L)^-T beta = x_j'(beta - rho L M beta)
  std::vector<double> beta(l);
  for (Index a = 0; a < l; ++a) beta[a] = dual.alpha[a] * signs_[a];
  std::vector<double> smoothed(x_.rows);
  multiply(with_labeled.data(), beta.data(), x_.rows, l, 1, smoothed.data());
  const Buffer<double> rough = x_.roughness(smoothed, 1);
  std::vector<double> direction(x_.rows);
  for (Index i = 0; i < x_.rows; ++i) direction[i] = -smoothness_ * rough[i];
  for (Index a = 0; a < l; ++a) direction[x_.labeled[a]] += beta[a];
  Value value{
      .objective = dual.objective, .gradient = x_.along(direction), .alpha = std::move(dual.alpha)};
  for (double& slope : value.gradient) slope *= -0.5 * slope;
  return value;
}

}  // namespace tamis
