#include "methods/ridge_omp/link_eigenpairs.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "linalg/eigenpairs.hpp"

namespace tamis {
namespace {

/// Eigenvalues below this are rounding: the entries of H are 0 and 1 where no pair has a weight.
constexpr double kRounding = 1e-9;

Eigen::MatrixXd centred_links(const ConstraintSet& constraints, Index rows) {
  Eigen::MatrixXd links = Eigen::MatrixXd::Identity(rows, rows);
  const auto set = [&](Index i, Index j, double value) { links(i, j) = links(j, i) = value; };
  for (const std::vector<Index>& same : constraints.classes())
    for (const Index i : same)
      for (const Index j : same) set(i, j, 1.0);
  for (const RowPair& pair : constraints.extra_must_link())
    set(pair.first, pair.second, links(pair.first, pair.second) + pair.weight);
  for (const RowPair& pair : constraints.extra_cannot_link())
    set(pair.first, pair.second, links(pair.first, pair.second) - pair.weight);
  links.rowwise() -= links.colwise().mean().eval();
  links.colwise() -= links.rowwise().mean().eval();
  return links;
}

/// V sqrt(v) of the positive pairs, the smallest first.
RowVectors positive_part(const EigenPairs& pairs, Index rows) {
  const Index width = std::ranges::count_if(pairs.values, [](double v) { return v > kRounding; });
  RowVectors result{width, Buffer<double>(rows * width)};
  for (Index s = 0; s < rows; ++s)
    for (Index c = 0; c < width; ++c) {
      const Index a = width - 1 - c;
      result.row(s)[c] = pairs.vectors[a][s] * std::sqrt(pairs.values[a]);
    }
  return result;
}

}  // namespace

RowVectors link_vectors(const ConstraintSet& constraints, Index rows) {
  const Eigen::MatrixXd row_major = centred_links(constraints, rows).transpose();
  const std::span<const double> links(row_major.data(), static_cast<std::size_t>(rows * rows));
  return positive_part(leading_eigenpairs(links, rows, rows), rows);
}

}  // namespace tamis
