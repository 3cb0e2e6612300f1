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

/// What one member says: a score for each feature that it drew.
struct MemberScores {
  std::vector<Index> features;  ///< ascending
  std::vector<double> scores;
  Better better;
  std::vector<Index> order = {};  ///< positions best first; empty: by score
};

/// The members that have spoken so far, as a whole and dealt into parts.
class Ensemble {
 public:
  /// Into how many parts the members are dealt, one after the other, to see how stable a ranking
  /// is: each part ranks by itself.
  static constexpr Index kParts = 10;

  Ensemble(Index n_features, Combine combine);

  void add(const MemberScores& member);
  std::vector<double> combined() const { return whole_.combined(); }
  Committee committee() const { return whole_.committee(); }

  /// The ranking by the given scores (combined() as it is, or worked over) with its committee. Its
  /// stability compares the best 10 % of the parts (of the members, if they are fewer), and is
  /// there from two on.
  /// @throws DataError like rank_features
  Ranking ranking(std::vector<double> scores, Diagnostics diagnostics,
                  std::string_view why_all_undefined) const;

 private:
  Tally whole_;
  std::vector<Tally> parts_;
};

/// Lets members first .. last - 1 score in parallel and adds them to the ensemble in their order.
void add_members(Index n_features, Index first, Index last,
                 const std::function<MemberScores(Index member)>& score, const Progress& progress,
                 Ensemble& ensemble);

/// Before the first member scores: writes what members 0 .. n_members - 1 draw to the trace, and
/// warns, early too, of features that fewer than five of them drew.
void announce_members(const Resampling& resampling, Index n_features, Index n_members,
                      const Run& run, Diagnostics& diagnostics);

struct BaggingOptions {
  Index n_members = 100;
  std::optional<Index> subspace_size = std::nullopt;  ///< unset: every member sees every feature
  Combine combine = Combine::mean;

  static constexpr auto fields() {
    using Self = BaggingOptions;
    return std::tuple{field("n_members", &Self::n_members, kMemberCount, "members of the ensemble"),
                      field("subspace_size", &Self::subspace_size, at_least(1),
                            "features that each member sees; auto: all"),
                      field("combine", &Self::combine, kCombineHelp)};
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
