#include "methods/spec/smooth_eigenpairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "constraints/disjoint_sets.hpp"
#include "core/adjacency.hpp"
#include "core/random.hpp"
#include "linalg/eigenpairs.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr double kSameValue = 1e-9;
constexpr Index kDenseLimit = 300;

/// The graph without rows that have no edge, its weights those of N = D^-1/2 S D^-1/2.
struct JoinedRows {
  std::vector<Index> rows;  // of the whole graph, ascending
  std::vector<double> root_degrees;
  std::vector<RowPair> edges;

  explicit JoinedRows(const Graph& graph) {
    const std::vector<double> degree = degrees(graph);
    std::vector<Index> place(graph.n_rows, -1);
    for (Index i = 0; i < graph.n_rows; ++i) {
      if (degree[i] <= 0.0) continue;
      place[i] = std::ssize(rows);
      rows.push_back(i);
      root_degrees.push_back(std::sqrt(degree[i]));
    }
    for (const RowPair& edge : normalized(graph, degree).edges)
      if (edge.weight > 0.0) edges.push_back({place[edge.first], place[edge.second], edge.weight});
  }

  Index size() const { return std::ssize(rows); }
};

/// One vector D^1/2 1 of length 1 for each connected piece: they are all eigenvectors of 0.
EigenPairs piece_vectors(const JoinedRows& joined) {
  DisjointSets sets(joined.size());
  for (const RowPair& edge : joined.edges) sets.join(edge.first, edge.second);
  std::map<Index, std::vector<double>> pieces;
  for (Index i = 0; i < joined.size(); ++i) {
    std::vector<double>& vector = pieces[sets.root(i)];
    vector.resize(joined.size(), 0.0);
    vector[i] = joined.root_degrees[i];
  }
  EigenPairs pairs;
  for (auto& [root, vector] : pieces) {
    double squares = 0.0;
    for (const double value : vector) squares += value * value;
    for (double& value : vector) value /= std::sqrt(squares);
    pairs.values.push_back(0.0);
    pairs.vectors.push_back(std::move(vector));
  }
  return pairs;
}

/// All eigenpairs of I - N, smallest first, as the largest of I + N.
EigenPairs solve_densely(const JoinedRows& joined) {
  const Index n = joined.size();
  std::vector<double> lower(n * n, 0.0);
  for (Index i = 0; i < n; ++i) lower[i * n + i] = 1.0;
  for (const RowPair& edge : joined.edges) {
    const auto [low, high] = std::minmax(edge.first, edge.second);
    lower[high * n + low] = edge.weight;
  }
  EigenPairs pairs = leading_eigenpairs(lower, n, n);
  for (double& value : pairs.values) value = std::max(0.0, 2.0 - value);
  return pairs;
}

/// Finds eigenpairs of I - N one batch after the other. What has been found is taken out of I + N,
/// which has no negative eigenvalues, so that the next batch brings what is missing.
class Deflation {
 public:
  explicit Deflation(const JoinedRows& joined)
      : n_(joined.size()), similar_(n_, joined.edges), found_(piece_vectors(joined)) {}

  Index count() const { return std::ssize(found_.values); }
  bool is_complete() const { return count() == n_; }
  double value(Index place) const {  // of the smallest ones
    std::vector<double> sorted = found_.values;
    std::ranges::sort(sorted);
    return sorted[place];
  }
  const EigenPairs& found() const { return found_; }

  /// @returns the smallest new eigenvalue
  double find(Index count) {
    const SymmetricOperator multiply = [this](const double* in, double* out) { apply(in, out); };
    std::vector<double> start(n_);
    for (double& value : start) value = random_.normal();
    auto pairs = leading_eigenpairs(multiply, n_, std::min(count, n_ - 1), start);
    if (!pairs)
      throw ComputationError(
          fmt::format("spec: {} eigenpairs of the graph of {} rows did not converge; lower "
                      "n_eigenpairs, or leave it at all",
                      count, n_));
    for (std::size_t s = 0; s < pairs->values.size(); ++s) {
      found_.values.push_back(std::max(0.0, 2.0 - pairs->values[s]));
      found_.vectors.push_back(std::move(pairs->vectors[s]));
    }
    return std::max(0.0, 2.0 - pairs->values.front());
  }

 private:
  void apply(const double* in, double* out) const {
    for (Index i = 0; i < n_; ++i) {
      double sum = in[i];
      for (Index s = similar_.offsets[i]; s < similar_.offsets[i + 1]; ++s)
        sum += similar_.weights[s] * in[similar_.partners[s]];
      out[i] = sum;
    }
    for (Index j = 0; j < count(); ++j) {
      const std::vector<double>& vector = found_.vectors[j];
      double share = 0.0;
      for (Index i = 0; i < n_; ++i) share += vector[i] * in[i];
      share *= 2.0 - found_.values[j];
      for (Index i = 0; i < n_; ++i) out[i] -= share * vector[i];
    }
  }

  Index n_;
  Adjacency similar_;
  EigenPairs found_;
  RandomStream random_{/*seed=*/0};  // only for where to begin: each time elsewhere
};

/// At least the k smallest, and all that tie with the k-th.
EigenPairs solve_iteratively(const JoinedRows& joined, Index k) {
  Deflation deflation(joined);
  if (deflation.count() < k) deflation.find(k - deflation.count());
  while (!deflation.is_complete() && deflation.find(1) <= deflation.value(k - 1) + kSameValue) {
  }
  return deflation.found();
}

}  // namespace

SmoothEigenpairs smooth_eigenpairs(const Graph& graph, Index k) {
  const JoinedRows joined(graph);
  const Index of_joined = k - (graph.n_rows - joined.size());  // other rows have a 0 each
  const EigenPairs all = joined.size() <= kDenseLimit
                             ? solve_densely(joined)
                             : solve_iteratively(joined, std::max<Index>(of_joined, 1));
  std::vector<double> sorted = all.values;
  std::ranges::sort(sorted);
  const double largest = (of_joined > 0 ? sorted[of_joined - 1] : 0.0) + kSameValue;
  std::vector<Index> kept;
  for (Index j = 0; j < std::ssize(all.values); ++j)
    if (all.values[j] <= largest) kept.push_back(j);
  SmoothEigenpairs pairs;
  pairs.vectors.assign(graph.n_rows * kept.size(), 0.0);
  for (std::size_t s = 0; s < kept.size(); ++s) {
    pairs.values.push_back(all.values[kept[s]]);
    for (Index i = 0; i < joined.size(); ++i)
      pairs.vectors[joined.rows[i] * kept.size() + s] = all.vectors[kept[s]][i];
  }
  return pairs;
}

}  // namespace tamis
