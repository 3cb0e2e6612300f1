#pragma once

#include "tamis/core/method.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

struct AromSvmOptions {
  double cost = 1000.0;
  Index n_rounds = 20;

  static constexpr MethodInfo info{
      .name = "arom_svm",
      .title = "Approximation of the zero-norm by support vector machines (l2-AROM)",
      .supervision = Supervision::supervised,
      .needs = Needs::classes,
      .reference =
          "Weston, Elisseeff, Schoelkopf, Tipping, Use of the zero-norm with linear models and "
          "kernel methods, JMLR 3, 2003",
      .streams = Streams::known_rows};
  static constexpr auto fields() {
    using Self = AromSvmOptions;
    return field_list(
        field("cost", &Self::cost, positive(), "C of the machines, the price of errors"),
        field("n_rounds", &Self::n_rounds, at_least(1),
              "machines that are trained one after the other, each on columns scaled by the one "
              "before"));
  }
};

/// Ranks features by how long they last when linear support vector machines scale them down: with
/// columns standardised on the labeled rows and z = 1 at first, each round trains machines (hinge
/// loss; several classes: each against the rest) on x o z, sets z <- z o sum_c |w_c|, scales it to
/// maximum 1 and puts to 0 what is below 1e-12. It ends after `n_rounds`, or when z moves by less
/// than 1e-6. The score is T + z after round T, T being the last round after which z > 0 (z = 1 at
/// T = 0); higher is better. Scores within 1e-10 (relative) tie.
///
/// Deterministic; O(l^2 m) per round for l labeled rows, and the machines. A column that is
/// constant over the labeled rows is undefined. The trace has z after each round.
/// @throws InvalidArgument if an option is out of range
/// @throws DataError if fewer than two classes have labeled rows, more than 20,000 rows are
/// labeled, every column is undefined, or no machine tells classes apart by any column
Ranking arom_svm(const Problem& problem, const AromSvmOptions& options = {}, const Run& run = {});

}  // namespace tamis
