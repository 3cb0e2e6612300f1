#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/methods/relevance_options.hpp"

namespace tamis {

/// How ranks are taken: as they are, or rounded to 4095 levels, which sums of whole numbers over
/// the rows suffice for.
enum class Ranks { exact, levels };
constexpr auto option_words(Ranks) {
  return std::array{std::pair{std::string_view("exact"), Ranks::exact},
                    std::pair{std::string_view("levels"), Ranks::levels}};
}

/// What the greedy choice of features is to explain.
struct TargetOptions {
  double ridge = 0.3;
  double temperature = 4.0;
  Index n_components = 10;

  static constexpr auto fields() {
    using Self = TargetOptions;
    return field_list(
        field(
            "ridge", &Self::ridge, positive(),
            "strength of the ridge that spreads labels or values to all rows; larger follows them "
            "less"),
        field("temperature", &Self::temperature, positive(),
              "how sharply spread labels become classes; larger is sharper; values do without"),
        field("n_components", &Self::n_components, between(1, 1000),
              "principal components beside the spread labels or values"));
  }
};

struct RidgeOmpOptions {
  Index n_greedy = 50;
  std::optional<double> nugget = std::nullopt;
  Ranks ranks = Ranks::exact;
  TargetOptions target = {};
  RelevanceOptions relevance = {};

  static constexpr MethodInfo info{
      .name = "ridge_omp",
      .title = "Orthogonal matching of labels spread by ridge regression",
      .supervision = Supervision::semi_supervised,
      .needs = Needs::nothing,
      .reference =
          "tamis; after Pati, Rezaiifar, Krishnaprasad, Orthogonal matching pursuit, "
          "Asilomar Conference 1993",
      .counts_features = true,
      .takes_values = true,
      .draws = true,
      .length_option = "n_greedy",
      .level_option = "fdr",
      .streams = Streams::passes,
      .streams_if = "ranks=levels"};
  static constexpr auto fields() {
    using Self = RidgeOmpOptions;
    return joined(
        field_list(
            field("n_greedy", &Self::n_greedy, at_least(1),
                  "features chosen one by one for what they add; the others follow by "
                  "how sure they are"),
            field("nugget", &Self::nugget, at_least(0),
                  "variance of the noise that chosen features are read with: 0 rules out "
                  "copies of them, larger lets them come later; auto: 1, without "
                  "supervision 0"),
            field("ranks", &Self::ranks,
                  "ranks as they are, or rounded to 4095 levels, so that every sum over rows "
                  "is one of whole numbers: slower, with 4 bytes for each two columns")),
        nested_fields(&Self::target), nested_fields(&Self::relevance));
  }
};

/// Ranks features by what each adds to those before it; higher is better. Columns become ranks, the
/// few labels (or numbers to predict, or pairs) are spread to all rows by ridge regression, and
/// with the leading principal components they are the target of a weighted orthogonal matching
/// pursuit, in which chosen columns are read with noise (the nugget), over the columns that are
/// relevant: those that explain more of a target made without them than chance would. The others
/// follow by how sure that is.
///
/// Scores are the gains of the first n_greedy features when they were chosen, and those of the
/// others had they been chosen first: the order is not that of the scores. The order of the first k
/// does not depend on n_greedy >= k. Ranking::relevance says how sure each feature is and how many
/// are worth choosing; with fdr = 1 nothing is judged, and all columns may be chosen. Chance
/// (run.seed) deals the columns into folds, draws decoys and permutes labels or values, and starts
/// the components of tables with more than 1000 rows and columns. The page of the method tells
/// more.
///
/// O(nm(log n + l + n_components + n_greedy)) for l known rows, n_folds times that at most if
/// columns are judged; the ranks are a second table.
/// Undefined: a constant column.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if pairs contradict, a numeric target is known in fewer than three rows or
/// always the same, or every column is constant
Ranking ridge_omp(const Problem& problem, const RidgeOmpOptions& options = {}, const Run& run = {});

}  // namespace tamis
