#include "methods/ridge_omp/link_eigenpairs.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace tamis {
namespace {

/// Eigenvalues below this are rounding: the entries of H are 0 and 1.
constexpr double kRounding = 1e-9;

Eigen::MatrixXd centred_links(const ConstraintSet& constraints, Index rows) {
  Eigen::MatrixXd links = Eigen::MatrixXd::Identity(rows, rows);
  const auto set = [&](Index i, Index j, double value) { links(i, j) = links(j, i) = value; };
  for (const std::vector<Index>& same : constraints.classes())
    for (const Index i : same)
      for (const Index j : same) set(i, j, 1.0);
  for (const RowPair& pair : constraints.extra_must_link()) set(pair.first, pair.second, 1.0);
  for (const RowPair& pair : constraints.extra_cannot_link()) set(pair.first, pair.second, -1.0);
  links.rowwise() -= links.colwise().mean().eval();
  links.colwise() -= links.rowwise().mean().eval();
  return links;
}

RowVectors positive_part(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors) {
  std::vector<Index> positive;
  for (Index a = 0; a < values.size(); ++a)
    if (values[a] > kRounding) positive.push_back(a);
  const Index width = std::ssize(positive);
  RowVectors result{width, Buffer<double>(vectors.rows() * width)};
  for (Index s = 0; s < vectors.rows(); ++s)
    for (Index c = 0; c < width; ++c)
      result.row(s)[c] = vectors(s, positive[c]) * std::sqrt(values[positive[c]]);
  return result;
}

}  // namespace

RowVectors link_vectors(const ConstraintSet& constraints, Index rows) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(centred_links(constraints, rows));
  return positive_part(solver.eigenvalues(), solver.eigenvectors());
}

}  // namespace tamis
