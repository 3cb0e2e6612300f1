#pragma once

#include <span>
#include <vector>

#include "tamis/core/ranking.hpp"
#include "tamis/ensembles/combine.hpp"

namespace tamis {

/// How many of `size` features are the best 10 %: rounded up, so at least one.
constexpr Index best_tenth(Index size) { return (size + 9) / 10; }

/// What one member says: a score for each feature that it drew.
struct MemberScores {
  std::vector<Index> features;    ///< ascending
  std::vector<double> scores;     ///< undefined ones among them
  Better better;                  ///< the same for all members that score anything
  std::vector<Index> order = {};  ///< positions best first; empty: by score
};

/// What a member adds to the combined scores of the features that it drew.
struct Ballot {
  const MemberScores& member;
  std::vector<Index> order;    ///< positions best first
  std::vector<double> values;  ///< by position; NaN where it abstains
};

/// Features that tie in a member share the mean of their places, as those do that it could not
/// score, last; in a member whose order is not that of its scores only the latter tie. A member
/// that scores nothing abstains, and in `mean` and `literal` from all that it does not score.
Ballot ballot_of(const MemberScores& member, Combine combine);

/// The ballots of some members, added up.
class VoteSums {
 public:
  VoteSums(Index n_features, Combine combine);

  void add(const Ballot& ballot);
  Index members() const { return members_; }

 private:
  friend std::vector<std::vector<double>> combined(std::span<const VoteSums> groups,
                                                   std::span<const std::vector<Index>> times);
  friend std::vector<double> combined_places(std::span<const VoteSums> groups,
                                             std::span<const Index> times);

  Combine combine_;
  Index members_ = 0;
  std::vector<double> sums_;
  std::vector<double> counts_;               // of members that did not abstain
  std::vector<std::vector<double>> places_;  // for robust_rank alone
};

/// For each of some resamples t the combined score of each feature if the ballots of groups[g] are
/// counted times[t][g] times; undefined if nobody voted on it (literal: 0). robust_rank is n min_k
/// P(k-th best of n random places <= k-th best of its n places), Kolde et al., Bioinformatics 28,
/// 2012; not cut at 1, so that poor features keep an order.
std::vector<std::vector<double>> combined(std::span<const VoteSums> groups,
                                          std::span<const std::vector<Index>> times);

/// Collects what the members of an ensemble say about features, member by member, and combines it.
/// Adding members now and others later is the same as adding all at once.
class Tally {
 public:
  Tally(Index n_features, Combine combine);

  void add(const Ballot& ballot);
  void add(const MemberScores& member) { add(ballot_of(member, combine_)); }

  Index members() const { return sums_.members(); }
  Combine combine() const { return combine_; }

  /// One score per feature, each ballot counted once.
  std::vector<double> combined() const;
  /// Whether any member could score the feature.
  bool has_score(Index feature) const { return votes_[feature].defined > 0; }
  /// Which of two combined scores is better.
  Better better() const;

  /// Draws, mean and best share; neither places nor stability.
  Committee committee() const;

 private:
  /// What members said about one feature.
  struct Votes {
    Index draws = 0;
    Index defined = 0;
    Index among_best = 0;
    double sum = 0.0;
  };

  Combine combine_;
  Better member_better_ = Better::lower;
  VoteSums sums_;
  std::vector<Votes> votes_;
};

}  // namespace tamis
