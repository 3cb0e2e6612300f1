#include "methods/sselect/cut_value.hpp"

#include <Spectra/SymEigsSolver.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "constraints/disjoint_sets.hpp"

namespace tamis {
namespace {

bool is_connected(const Graph& graph) {
  DisjointSets sets(graph.n_rows);
  Index pieces = graph.n_rows;
  for (const RowPair& edge : graph.edges)
    if (edge.weight > 0.0 && sets.join(edge.first, edge.second)) --pieces;
  return pieces == 1;
}

/// The same edges with weights w_ij / sqrt(D_i D_j): those of D^-1/2 S D^-1/2.
Graph normalized(const Graph& graph, const std::vector<double>& degree) {
  Graph result = graph;
  for (RowPair& edge : result.edges)
    edge.weight /= std::sqrt(degree[edge.first]) * std::sqrt(degree[edge.second]);
  return result;
}

double solve_densely(const Graph& similarity) {
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Identity(similarity.n_rows, similarity.n_rows);
  for (const RowPair& edge : similarity.edges) {
    laplacian(edge.first, edge.second) = -edge.weight;
    laplacian(edge.second, edge.first) = -edge.weight;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(laplacian, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()(1);
}

/// I + D^-1/2 S D^-1/2 without its largest eigenpair, 2 and D^1/2 1, so that the largest one left
/// is 2 minus the eigenvalue wanted: the end of the spectrum that Lanczos iteration finds well.
class DeflatedOperator {
 public:
  using Scalar = double;

  DeflatedOperator(const Graph& similarity, const std::vector<double>& degree)
      : similarity_(similarity), trivial_(similarity.n_rows) {
    for (Index i = 0; i < similarity.n_rows; ++i) trivial_(i) = std::sqrt(degree[i]);
    trivial_.normalize();
  }

  Eigen::Index rows() const { return trivial_.size(); }
  Eigen::Index cols() const { return trivial_.size(); }
  void perform_op(const double* in, double* out) const {
    const Eigen::Map<const Eigen::VectorXd> x(in, rows());
    Eigen::Map<Eigen::VectorXd> y(out, rows());
    y = x - (2.0 * trivial_.dot(x)) * trivial_;
    for (const RowPair& edge : similarity_.edges) {
      y(edge.first) += edge.weight * x(edge.second);
      y(edge.second) += edge.weight * x(edge.first);
    }
  }

 private:
  const Graph& similarity_;
  Eigen::VectorXd trivial_;
};

std::optional<double> solve_iteratively(const Graph& similarity,
                                        const std::vector<double>& degree) {
  constexpr Eigen::Index kLanczosVectors = 40;
  constexpr Eigen::Index kMaxRestarts = 1000;
  constexpr double kTolerance = 1e-10;
  DeflatedOperator op(similarity, degree);
  Spectra::SymEigsSolver<DeflatedOperator> solver(op, 1, kLanczosVectors);
  solver.init();
  solver.compute(Spectra::SortRule::LargestAlge, kMaxRestarts, kTolerance);
  if (solver.info() != Spectra::CompInfo::Successful) return std::nullopt;
  return 2.0 - solver.eigenvalues()(0);
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
