#include "tamis/clustering/principal_axes.hpp"

#include <Spectra/MatOp/DenseSymMatProd.h>
#include <Spectra/SymEigsSolver.h>
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "tamis/core/buffer.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/gemm.hpp"

namespace tamis {
namespace {

constexpr Index kLargestSide = 20000;
/// Up to here all eigenpairs are computed: exact for equal eigenvalues too.
constexpr Index kDirectSide = 300;
constexpr Index kBlockRows = 512;

// Row-major lower triangle = column-major upper triangle.
using Symmetric = Eigen::MatrixXd;

Buffer<double> centred_rows(const MatrixView& x, std::span<const Index> rows,
                            const std::vector<double>& mean) {
  Buffer<double> block(std::ssize(rows) * x.cols());
  copy_columns(x, rows, 0, x.cols(), block.data());
  for (Index s = 0; s < std::ssize(rows); ++s)
    for (Index r = 0; r < x.cols(); ++r) block[s * x.cols() + r] -= mean[r];
  return block;
}

/// Calls visit(block, first, count) for centred rows, a block at a time.
template <class Visit>
void for_each_block(const MatrixView& x, std::span<const Index> rows,
                    const std::vector<double>& mean, const Visit& visit) {
  for (Index from = 0; from < std::ssize(rows); from += kBlockRows) {
    const Index count = std::min(kBlockRows, std::ssize(rows) - from);
    visit(centred_rows(x, rows.subspan(from, count), mean), from, count);
  }
}

struct EigenPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// The leading eigenpairs, largest first, of the matrix whose upper triangle is given.
EigenPairs leading_pairs(const Symmetric& matrix, Index count) {
  if (matrix.rows() > kDirectSide) {
    Spectra::DenseSymMatProd<double, Eigen::Upper> product(matrix);
    Spectra::SymEigsSolver<decltype(product)> solver(product, count,
                                                     std::min<Index>(matrix.rows(), 40));
    solver.init();
    solver.compute(Spectra::SortRule::LargestAlge, 1000, 1e-12);
    if (solver.info() == Spectra::CompInfo::Successful)
      return {solver.eigenvalues(), solver.eigenvectors()};
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix.transpose());
  return {solver.eigenvalues().tail(count).reverse(),
          solver.eigenvectors().rightCols(count).rowwise().reverse()};
}

std::vector<double> with_fixed_sign(const Eigen::VectorXd& direction) {
  Index largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  const double sign = direction[largest] < 0.0 ? -1.0 : 1.0;
  std::vector<double> fixed(direction.size());
  for (Index r = 0; r < direction.size(); ++r) fixed[r] = sign * direction[r] / direction.norm();
  return fixed;
}

}  // namespace

PrincipalAxes principal_axes(const MatrixView& x, std::span<const Index> rows, Index count) {
  const Index n = std::ssize(rows);
  const Index m = x.cols();
  if (std::min(n, m) > kLargestSide)
    throw DataError(
        fmt::format("principal axes of {} rows and {} columns: one of the two may be at most {}", n,
                    m, kLargestSide));
  PrincipalAxes axes{.mean = weighted_moments(x, rows, std::vector<double>(n, 1.0)).mean};
  const bool by_columns = m <= n;
  const Index side = std::min(n, m);
  count = std::min(count, side);
  Symmetric products = Symmetric::Zero(side, side);
  if (by_columns) {
    for_each_block(x, rows, axes.mean, [&](const Buffer<double>& block, Index, Index block_rows) {
      add_cross_products(block.data(), block_rows, m, products.data());
    });
  } else {
    add_row_products(centred_rows(x, rows, axes.mean).data(), n, m, products.data());
  }
  const EigenPairs pairs = leading_pairs(products, count);
  const double negligible = 1e-12 * std::max(0.0, pairs.values[0]);
  for (Index a = 0; a < count && pairs.values[a] > negligible; ++a) {
    Eigen::VectorXd direction = pairs.vectors.col(a);
    if (!by_columns) {
      // An eigenvector u of X X' becomes X'u, an eigenvector of X'X.
      const Eigen::VectorXd of_rows = direction;
      direction = Eigen::VectorXd::Zero(m);
      for (Index s = 0; s < n; ++s)
        add_row(x, rows[s], of_rows[s], {direction.data(), static_cast<std::size_t>(m)});
      const double total = of_rows.sum();
      for (Index r = 0; r < m; ++r) direction[r] -= total * axes.mean[r];
    }
    axes.eigenvalues.push_back(pairs.values[a] / static_cast<double>(n - 1));
    axes.directions.push_back(with_fixed_sign(direction));
  }
  return axes;
}

}  // namespace tamis
