#include "linalg/leading_eigenpairs.hpp"

#include <Spectra/MatOp/DenseSymMatProd.h>
#include <Spectra/SymEigsSolver.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace tamis {
namespace {

constexpr Index kDirectSide = 300;
constexpr Index kLanczosVectors = 40;

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
  // The row-major lower triangle is the column-major upper one.
  const Eigen::Map<const Eigen::MatrixXd> matrix(lower.data(), side, side);
  if (side > std::max(kDirectSide, 2 * count)) {
    Spectra::DenseSymMatProd<double, Eigen::Upper> product(matrix);
    Spectra::SymEigsSolver<decltype(product)> solver(
        product, count, std::min(side, std::max(kLanczosVectors, 2 * count)));
    solver.init();
    solver.compute(Spectra::SortRule::LargestAlge, 1000, 1e-12);
    if (solver.info() == Spectra::CompInfo::Successful)
      return to_pairs(solver.eigenvalues(), solver.eigenvectors());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix.transpose());
  return to_pairs(solver.eigenvalues().tail(count).reverse(),
                  solver.eigenvectors().rightCols(count).rowwise().reverse());
}

}  // namespace tamis
