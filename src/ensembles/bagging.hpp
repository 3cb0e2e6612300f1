#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ensembles/aggregation.hpp"
#include "ensembles/resampling.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// The members that have spoken so far, as a whole and dealt into groups.
class Ensemble {
 public:
  /// Into how many groups the members are dealt, one after the other, to see how sure places are
  /// (place_intervals). The width of intervals from 40 groups is itself known to about 11 %,
  /// 1 / sqrt(2 (groups - 1)); more of them cost memory and time.
  static constexpr Index kGroups = 40;
  /// Every tenth group is a part that ranks by itself, to see how stable the ranking is.
  static constexpr Index kParts = 10;
  static_assert(kGroups % kParts == 0);

  Ensemble(Index n_features, Combine combine);

  void add(const MemberScores& member);
  /// One score per feature; undefined if no member could score it (literal: 0, as its formula has
  /// it).
  std::vector<double> combined() const;

  /// The ranking by the given scores (combined() as it is, or on another scale) with its committee.
  /// Its stability compares the best 10 % of the parts (of the members, if they are fewer), and is
  /// there from two on. Places have intervals from kFewestMembersForIntervals members on; not under
  /// robust_rank, which is no sum: each resample would take as long as all of its places.
  /// @throws DataError like rank_features
  Ranking ranking(std::vector<double> scores, Diagnostics diagnostics,
                  std::string_view why_all_undefined, const Run& run) const;

 private:
  Committee committee(const Ranking& ranking, const Run& run) const;
  std::optional<Stability> stability() const;

  Tally whole_;
  std::vector<VoteSums> groups_;
};

/// Lets members first .. last - 1 score in parallel and adds them to the ensemble in their order.
void add_members(Index first, Index last, const std::function<MemberScores(Index member)>& score,
                 const Progress& progress, Ensemble& ensemble);

/// Warns, early too, of members that are too few to tell how sure places are.
void warn_of_few_members(Index n_members, const Run& run, Diagnostics& diagnostics);

/// The same, and of features that fewer than five of the members 0 .. n_members - 1 draw.
void warn_of_few_draws(const Resampling& resampling, Index n_features, Index n_members,
                       const Run& run, Diagnostics& diagnostics);

struct BaggingOptions {
  Index n_members = 100;
  std::optional<Index> subspace_size = std::nullopt;  ///< unset: every member sees every feature
  /// By places, not by scores: a bootstrap may give a score without measure (fisher_score of a
  /// column that it leaves without variance within classes), which would decide every mean.
  Combine combine = Combine::rank;

  static constexpr auto fields() {
    using Self = BaggingOptions;
    return field_list(field("n_members", &Self::n_members, kMemberCount, "members of the ensemble"),
                      field("subspace_size", &Self::subspace_size, at_least(1),
                            "features that each member sees; auto: all"),
                      field("combine", &Self::combine, kCombineHelp));
  }
};

/// Ranks features by what many members say, each of which ranks a part of the problem: some of the
/// features, and what is known about rows resampled with replacement (resampling.hpp). Any ranker
/// can be a member.
///
/// Deterministic for a seed and any number of threads; needs the memory of one member for each
/// thread. A member that fails with a DataError (its bootstrap lost a class, say) has no defined
/// score; how many did is a warning.
/// @throws InvalidArgument if an option is out of range or the subspace larger than the table
/// @throws DataError with the first member's reason if all fail, or if every feature is undefined
Ranking bagging(const Problem& problem, const BaggingOptions& options, const Ranker& ranker,
                const Run& run = {});

}  // namespace tamis
