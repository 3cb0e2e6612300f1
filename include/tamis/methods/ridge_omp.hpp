#pragma once

#include <optional>
#include <tuple>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// What the greedy choice of features is to explain.
struct TargetOptions {
  double ridge = 0.3;
  double temperature = 4.0;
  Index n_components = 10;

  static constexpr auto fields() {
    using Self = TargetOptions;
    return std::tuple{
        field("ridge", &Self::ridge, positive(),
              "strength of the ridge that spreads labels to all rows; larger follows them less"),
        field("temperature", &Self::temperature, positive(),
              "how sharply spread labels become classes; larger is sharper"),
        field("n_components", &Self::n_components, between(1, 1000),
              "principal components beside the spread labels")};
  }
};

struct RidgeOmpOptions {
  Index n_greedy = 50;
  Index n_shadows = 0;
  std::optional<double> nugget = std::nullopt;
  TargetOptions target = {};

  static constexpr MethodInfo info{
      .name = "ridge_omp",
      .title = "Orthogonal matching of labels spread by ridge regression",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference =
          "tamis; after Pati, Rezaiifar, Krishnaprasad, Orthogonal matching pursuit, "
          "Asilomar Conference 1993"};
  static constexpr auto fields() {
    using Self = RidgeOmpOptions;
    return std::tuple_cat(
        std::tuple{field("n_greedy", &Self::n_greedy, at_least(1),
                         "features chosen one by one for what they add; the others follow by "
                         "relevance alone"),
                   field("n_shadows", &Self::n_shadows, at_least(0),
                         "columns permuted over the rows, which tell how many features are worth "
                         "choosing; 0: do not count"),
                   field("nugget", &Self::nugget, at_least(0),
                         "variance of the noise that chosen features are read with: 0 rules out "
                         "copies of them, larger lets them come later; auto: 1, without "
                         "supervision 0")},
        nested_fields(&Self::target));
  }
};

/// Ranks features by what each adds to those before it; higher is better. Columns become ranks, the
/// few labels (or pairs) are spread to all rows by ridge regression, and with the leading principal
/// components they are the target of a weighted orthogonal matching pursuit over the columns, in
/// which chosen columns are read with noise (the nugget). Scores are the gains of the first
/// n_greedy features when they were chosen, and those of the others had they been chosen first: the
/// order is not that of the scores, because a later feature can gain more than an earlier one. The
/// order of the first k does not depend on n_greedy >= k. The page of the method tells more.
///
/// With n_shadows > 0 Ranking::curve says how many features are worth choosing. Chance
/// (run.seed) draws the shadow columns, and starts the components of tables with more than 1000
/// rows and columns.
///
/// O(nm(log n + l + n_components + n_greedy)) for l labeled rows; the ranks are a second table.
/// Undefined: a constant column.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if pairs contradict, or every column is constant
Ranking ridge_omp(const Problem& problem, const RidgeOmpOptions& options = {}, const Run& run = {});

}  // namespace tamis
