#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/core/ranking.hpp"
#include "tamis/ensembles/combine.hpp"

namespace tamis {

/// How many of `size` features are the best 10 %: rounded up, so at least one.
constexpr Index best_tenth(Index size) { return (size + 9) / 10; }

/// Collects what the members of an ensemble say about features, member by member, and combines it.
/// Adding members now and others later is the same as adding all at once.
class Tally {
 public:
  Tally(Index n_features, Combine combine);

  /// The next member: scores[s] is that of features[s] (ascending), undefined ones among them;
  /// `better` is the same for all members that score anything. `order` has the positions s best
  /// first, for members whose order is not that of their scores; without it that is what it is.
  void add(std::span<const Index> features, std::span<const double> scores, Better better,
           std::span<const Index> order = {});

  Index members() const { return members_; }

  /// One score per feature; undefined if no member drew it (literal: 0, as its formula has it).
  /// Members in which it is undefined do not count in `mean`, add 0 to `literal`, and put it last
  /// in the others. robust_rank is n min_k P(k-th best of n random places <= k-th best of its n
  /// places), Kolde et al., Bioinformatics 28, 2012; not cut at 1, so that poor features keep an
  /// order.
  std::vector<double> combined() const;
  /// Which of two combined scores is better.
  Better better() const;

  /// Draws, mean, standard error and best share; no stability.
  Committee committee() const;

 private:
  /// What members said about one feature.
  struct Votes {
    Index draws = 0;
    Index defined = 0;
    Index among_best = 0;
    double sum = 0.0;
    double mean = 0.0;
    double squares = 0.0;          ///< of deviations from the mean
    double relative_places = 0.0;  ///< sum of place / size
    double beaten = 0.0;           ///< sum over members of the features it beats
  };
  double combined(const Votes& votes, std::span<const double> places) const;

  Combine combine_;
  Index members_ = 0;
  Better member_better_ = Better::lower;
  std::vector<Votes> votes_;
  std::vector<std::vector<double>> places_;  // (place + 1) / size, for robust_rank alone
};

}  // namespace tamis
