#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/ensembles/combine.hpp"
#include "tamis/methods/constraint_score.hpp"

namespace tamis {

enum class BcsCombine { rank, score };
constexpr auto option_words(BcsCombine) {
  return std::array{std::pair{std::string_view("rank"), BcsCombine::rank},
                    std::pair{std::string_view("score"), BcsCombine::score}};
}

struct BcsOptions {
  Index n_bags = 100;
  BcsCombine combine = BcsCombine::rank;
  ConstraintScoreForm form = ConstraintScoreForm::ratio;
  double nu = 1.0;
  Index max_pairs = 100'000;
  bool vote = false;

  static constexpr std::array kPaper{OptionSetting{"vote", "true"}};
  static constexpr MethodInfo info{
      .name = "bcs",
      .title = "Bagging constraint score",
      .supervision = Supervision::supervised,
      .needs = Needs::constraints,
      .reference =
          "Sun, Zhang, Bagging constraint score for feature selection with pairwise constraints, "
          "Pattern Recognition 43, 2010",
      .draws = true,
      .vote_option = "vote",
      .paper = kPaper,
      .streams = Streams::known_rows};
  static constexpr auto fields() {
    using Self = BcsOptions;
    return field_list(
        field("n_bags", &Self::n_bags, kMemberCount, "bags of constraints"),
        field("combine", &Self::combine, "mean rank over the bags, or mean constraint score"),
        field("form", &Self::form, "must-link sum over cannot-link sum, or minus nu times it"),
        field("nu", &Self::nu, at_least(0),
              "weight of the cannot-links in the difference; ignored by the ratio"),
        field("max_pairs", &Self::max_pairs, at_least(1),
              "most must-links, and most cannot-links, that a bag draws"),
        field("vote", &Self::vote,
              "classes are predicted by a vote, each bag by its own best features; only where "
              "classes are predicted, that is, in an evaluation"));
  }
};

/// Ranks features by their mean rank (from 1) or mean constraint score M / C (or M - nu C) over
/// bags of constraints; lower is better. Bag b draws as many must-links, and then cannot-links, as
/// there are, but at most max_pairs, with replacement, from stream b of the seed; a pair drawn
/// twice counts twice. Without must-links the ratio is 1 / C, without cannot-links M. A feature
/// that a bag cannot score is last there. Sets Ranking::committee, and with `vote` also what each
/// bag ranks, Ranking::member_orders; the trace has the drawn
/// positions in the ascending lists of must-links and cannot-links (from labels and explicit
/// pairs).
///
/// Deterministic for a seed; O(bags x drawn pairs x m); pairs that labels imply are never listed.
/// Undefined: a constant column, and in the ratio one on which all cannot-linked rows agree.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if there is no pair, pairs contradict, or every column is undefined
Ranking bcs(const Problem& problem, const BcsOptions& options = {}, const Run& run = {});

}  // namespace tamis
