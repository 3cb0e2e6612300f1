#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

enum class ConstraintScoreForm { ratio, difference };
constexpr auto option_words(ConstraintScoreForm) {
  return std::array{std::pair{std::string_view("ratio"), ConstraintScoreForm::ratio},
                    std::pair{std::string_view("difference"), ConstraintScoreForm::difference}};
}

struct ConstraintScoreOptions {
  ConstraintScoreForm form = ConstraintScoreForm::ratio;
  double nu = 1.0;

  static constexpr MethodInfo info{
      .name = "constraint_score",
      .title = "Constraint score",
      .supervision = Supervision::supervised,
      .needs = Needs::constraints,
      .reference =
          "Zhang, Chen, Zhou, Constraint score: a new filter method for feature selection "
          "with pairwise constraints, Pattern Recognition 41, 2008",
      .streams = Streams::known_rows};
  static constexpr auto fields() {
    using Self = ConstraintScoreOptions;
    return field_list(
        field("form", &Self::form, "must-link sum over cannot-link sum, or minus nu times it"),
        field("nu", &Self::nu, at_least(0),
              "weight of the cannot-links in the difference; ignored by the ratio"));
  }
};

/// Ranks features by how near they keep must-linked rows and how far cannot-linked ones; lower is
/// better. With M and C the sums of (f_i - f_j)^2 over the must-links and the cannot-links:
/// `ratio` M / C; M without cannot-links, 1 / C without must-links; `difference` M - nu C.
///
/// Deterministic; O(lm) for l labeled rows, O(m) more per explicit pair. Undefined: a constant
/// column, and in the ratio one on which all cannot-linked rows agree.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if there is no pair, pairs contradict, or every column is undefined
Ranking constraint_score(const Problem& problem, const ConstraintScoreOptions& options = {},
                         const Run& run = {});

/// M and C of a column, and whether there are any pairs of the two kinds.
struct ConstraintSums {
  double must = 0.0;
  double cannot = 0.0;
  bool has_must = false;
  bool has_cannot = false;
};
/// The score of a column with its fallbacks; the ratio is undefined for C = 0.
double constraint_score(const ConstraintSums& sums, ConstraintScoreForm form, double nu);

}  // namespace tamis
