#pragma once

#include <optional>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct FsManifoldOptions {
  std::optional<Index> n_features = std::nullopt;
  double cost = 1.0;
  double smoothness = 1.0;
  Index n_neighbors = 10;
  Index max_iter = 50;

  static constexpr MethodInfo info{
      .name = "fs_manifold",
      .title = "Feature selection with manifold regularization (FS-Manifold)",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::classes,
      .reference =
          "Xu, King, Lyu, Jin, Discriminative semi-supervised feature selection via manifold "
          "regularization, IJCAI 2009"};
  static constexpr auto fields() {
    using Self = FsManifoldOptions;
    return field_list(
        field("n_features", &Self::n_features, at_least(1),
              "sum of the weights, each at most 1; auto: half of the features, at most 50"),
        field("cost", &Self::cost, positive(), "C of the machines, the price of errors"),
        field("smoothness", &Self::smoothness, at_least(0.0),
              "how much differences between neighbouring rows count"),
        field("n_neighbors", &Self::n_neighbors, at_least(1), "nearest rows joined to each row"),
        field("max_iter", &Self::max_iter, at_least(1), "steps of each class at most"));
  }
};

/// Ranks features by the weights 0 <= p <= 1, sum p = n_features, under which a support vector
/// machine that is smooth on the neighbour graph of all rows has the largest margin: they minimise
///
///   J(p) = max over 0 <= a <= C, a'y = 0 of 1'a - 1/2 (a o y)'M(a o y),
///   M = (I + rho K L)^-1 K on the labeled rows, K = X diag(p) X',
///
/// X being the columns standardised over all rows and L the Laplacian of their graph / n^2. Several
/// classes: each against the rest. The score is the mean over these tasks of p_j + |g_j| / max |g|,
/// g the gradient: p alone ties at 0 and 1, and at the optimum |g| orders features as p does;
/// higher is better.
///
/// Projected gradient, which ends if no step lowers J, after `max_iter` steps, or at gap = g'p -
/// (sum of the n_features smallest g) <= 1e-3 |J|. Deterministic. O(n min(n, m)^2) per step for m
/// features of weight. A constant column is undefined. The trace has p, J and gap of each task.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if fewer than two classes have labeled rows, for more than 20,000 rows, or if
/// every column is constant
Ranking fs_manifold(const Problem& problem, const FsManifoldOptions& options = {},
                    const Run& run = {});

}  // namespace tamis
