#include "methods/sselect/cut_value.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "constraints/disjoint_sets.hpp"
#include "linalg/eigenpairs.hpp"

namespace tamis {
namespace {

bool is_connected(const Graph& graph) {
  DisjointSets sets(graph.n_rows);
  Index pieces = graph.n_rows;
  for (const RowPair& edge : graph.edges)
    if (edge.weight > 0.0 && sets.join(edge.first, edge.second)) --pieces;
  return pieces == 1;
}

double solve_densely(const Graph& similarity) {
  const Index n = similarity.n_rows;
  std::vector<double> laplacian(n * n, 0.0);
  for (Index i = 0; i < n; ++i) laplacian[i * n + i] = 1.0;
  for (const RowPair& edge : similarity.edges)
    laplacian[edge.second * n + edge.first] = -edge.weight;
  return eigenvalues(laplacian, n)[1];
}

/// Lanczos iteration finds the largest eigenvalues well. That of I + D^-1/2 S D^-1/2 without its
/// largest eigenpair, 2 and D^1/2 1, is 2 minus the eigenvalue wanted.
std::optional<double> solve_iteratively(const Graph& similarity,
                                        const std::vector<double>& degree) {
  const Index n = similarity.n_rows;
  Eigen::VectorXd trivial(n);
  for (Index i = 0; i < n; ++i) trivial(i) = std::sqrt(degree[i]);
  trivial.normalize();
  const auto deflated = [&](const double* in, double* out) {
    const Eigen::Map<const Eigen::VectorXd> x(in, n);
    Eigen::Map<Eigen::VectorXd> y(out, n);
    y = x - (2.0 * trivial.dot(x)) * trivial;
    for (const RowPair& edge : similarity.edges) {
      y(edge.first) += edge.weight * x(edge.second);
      y(edge.second) += edge.weight * x(edge.first);
    }
  };
  const std::optional<double> largest = leading_eigenvalue(deflated, n);
  return largest ? std::optional(2.0 - *largest) : std::nullopt;
}

}  // namespace

std::optional<double> cut_value(const Graph& graph) {
  constexpr Index kDenseLimit = 300;
  if (!is_connected(graph)) return 0.0;
  const std::vector<double> degree = degrees(graph);
  const Graph similarity = normalized(graph, degree);
  const std::optional<double> value = graph.n_rows <= kDenseLimit
                                          ? solve_densely(similarity)
                                          : solve_iteratively(similarity, degree);
  return value ? std::optional(std::max(*value, 0.0)) : std::nullopt;
}

}  // namespace tamis
