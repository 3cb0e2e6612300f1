#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// How features are found whose products are like the similarities: one by one, along the least
/// angle, or all at once under a penalty.
enum class SpfsSolver { sfs, lar, nes };
constexpr auto option_words(SpfsSolver) {
  return std::array{std::pair{std::string_view("sfs"), SpfsSolver::sfs},
                    std::pair{std::string_view("lar"), SpfsSolver::lar},
                    std::pair{std::string_view("nes"), SpfsSolver::nes}};
}

/// Which rows are alike: labeled rows of one class, or rows near each other.
enum class SpfsSimilarity { classes, rbf };
constexpr auto option_words(SpfsSimilarity) {
  return std::array{std::pair{std::string_view("classes"), SpfsSimilarity::classes},
                    std::pair{std::string_view("rbf"), SpfsSimilarity::rbf}};
}

struct SpfsOptions {
  SpfsSolver solver = SpfsSolver::sfs;
  SpfsSimilarity similarity = SpfsSimilarity::classes;
  double bandwidth = 1.0;
  std::optional<Index> n_targets = std::nullopt;
  std::optional<double> regularization = std::nullopt;
  std::optional<Index> n_features = std::nullopt;
  Index max_features = 200;

  static constexpr MethodInfo info{
      .name = "spfs",
      .title = "Similarity preserving feature selection (SPFS)",
      .supervision = Supervision::supervised,
      .needs = Needs::classes,
      .reference =
          "Zhao, Wang, Liu, Ye, On similarity preserving feature selection, IEEE Transactions on "
          "Knowledge and Data Engineering 25, 2013",
      .length_option = "max_features",
      .streams = Streams::known_rows,
      .streams_if = "similarity=classes"};
  static constexpr auto fields() {
    using Self = SpfsOptions;
    return field_list(
        field("solver", &Self::solver,
              "features one by one (sfs), by least angle regression (lar), or by regression with "
              "a penalty (nes)"),
        field("similarity", &Self::similarity,
              "labeled rows of one class are alike, or rows near each other, labeled or not"),
        field("bandwidth", &Self::bandwidth, positive(),
              "of rbf, in units of the mean squared distance of the rows"),
        field("n_targets", &Self::n_targets, at_least(1),
              "leading eigenvectors of the similarities that lar and nes explain; auto: all for "
              "classes, 10 for rbf"),
        field("regularization", &Self::regularization,
              {.low = 0.0, .high = 1.0, .excludes_low = true},
              "penalty of nes in units of the one at which no feature is left; auto: such that "
              "about n_features are"),
        field("n_features", &Self::n_features, at_least(1),
              "features that nes keeps with regularization auto; auto: half of them, at most 50"),
        field("max_features", &Self::max_features, at_least(1),
              "features that sfs and lar choose one by one; the rest follow by what the last "
              "choice saw in them"));
  }
};

/// Ranks features so that products of their values are like the similarities K of the rows. Columns
/// f are centred and scaled to length 1, K is doubly centred. Similarity `classes`: labeled rows,
/// 1/n_c within class c; `rbf`: all rows, exp(-d^2 / (bandwidth x mean squared distance)).
///
/// - sfs: always the largest 2 f'Rf - 1, R <- R - ff', from R = K; `path` has |R|^2.
/// - lar: least angle regression of Y, YY' = K, with several responses; `path` has |f'R| at entry.
/// - nes: min 1/2 |FW - Y|^2 + lambda |W|_{2,1}, lambda = regularization x max |f'Y|; the score is
///   |w_j|, and |f_j'(Y - FW)| / lambda - 1 for rows of W that are 0; higher is better.
///
/// Scores of sfs and lar are places. Deterministic. O(lm) per choice or step for l rows; `classes`
/// never forms K, `rbf` does, O(n^2 m). What is within 1e-10 ties: the lower column wins. A column
/// that is constant on these rows is undefined.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if `classes` lacks two classes, `rbf` has more than 20,000 rows or rows that
/// all coincide, or every column is undefined
Ranking spfs(const Problem& problem, const SpfsOptions& options = {}, const Run& run = {});

}  // namespace tamis
