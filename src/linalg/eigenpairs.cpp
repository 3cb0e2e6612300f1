#include "linalg/eigenpairs.hpp"

#include <Spectra/SymEigsSolver.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <stdexcept>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr Index kDirectSide = 300;
constexpr Index kLanczosVectors = 40;
constexpr Index kMaxRestarts = 1000;

/// What Spectra wants of a matrix. One type for all, since each costs the compiler ten seconds.
struct Operator {
  using Scalar = double;
  const SymmetricOperator& multiply;
  Index side;

  Index rows() const { return side; }
  Index cols() const { return side; }
  void perform_op(const double* in, double* out) const { multiply(in, out); }
};
using Lanczos = Spectra::SymEigsSolver<Operator>;

/// Whether iterations find what they look for. Of a matrix of low rank little is left to iterate
/// on, and Spectra may throw.
bool converges(Lanczos& solver, double tolerance) {
  try {
    solver.compute(Spectra::SortRule::LargestAlge, kMaxRestarts, tolerance);
  } catch (const Error&) {
    throw;  // the operator's
  } catch (const std::runtime_error&) {
    return false;
  }
  return solver.info() == Spectra::CompInfo::Successful;
}

/// The row-major lower triangle is the column-major upper one.
Eigen::Map<const Eigen::MatrixXd> upper_of(std::span<const double> lower, Index side) {
  return {lower.data(), side, side};
}

EigenPairs to_pairs(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors) {
  EigenPairs pairs{.values = {values.begin(), values.end()}};
  for (Index a = 0; a < vectors.cols(); ++a) {
    const auto column = vectors.col(a);
    pairs.vectors.emplace_back(column.begin(), column.end());
  }
  return pairs;
}

}  // namespace

EigenPairs leading_eigenpairs(std::span<const double> lower, Index side, Index count) {
  const auto matrix = upper_of(lower, side);
  if (side > std::max(kDirectSide, 2 * count)) {
    const SymmetricOperator multiply = [&](const double* in, double* out) {
      Eigen::Map<Eigen::VectorXd>(out, side).noalias() =
          matrix.selfadjointView<Eigen::Upper>() * Eigen::Map<const Eigen::VectorXd>(in, side);
    };
    if (auto pairs = leading_eigenpairs(multiply, side, count)) return std::move(*pairs);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix.transpose());
  return to_pairs(solver.eigenvalues().tail(count).reverse(),
                  solver.eigenvectors().rightCols(count).rowwise().reverse());
}

std::optional<EigenPairs> leading_eigenpairs(const SymmetricOperator& multiply, Index side,
                                             Index count, std::span<const double> start) {
  Operator product{multiply, side};
  Lanczos solver(product, count, std::min(side, std::max(kLanczosVectors, 2 * count)));
  if (start.empty())
    solver.init();
  else
    solver.init(start.data());
  if (!converges(solver, 1e-12)) return std::nullopt;
  return to_pairs(solver.eigenvalues(), solver.eigenvectors());
}

std::vector<double> eigenvalues(std::span<const double> lower, Index side) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(upper_of(lower, side).transpose(),
                                                              Eigen::EigenvaluesOnly);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

std::optional<double> leading_eigenvalue(const SymmetricOperator& multiply, Index side) {
  Operator product{multiply, side};
  Lanczos solver(product, 1, kLanczosVectors);
  solver.init();
  if (!converges(solver, 1e-10)) return std::nullopt;
  return solver.eigenvalues()(0);
}

}  // namespace tamis
