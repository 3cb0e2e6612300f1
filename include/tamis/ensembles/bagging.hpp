#pragma once

#include <functional>
#include <optional>

#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/ensembles/aggregation.hpp"
#include "tamis/ensembles/resampling.hpp"

namespace tamis {

struct BaggingOptions {
  Index n_members = 100;
  std::optional<Index> subspace_size = std::nullopt;  ///< unset: every member sees every feature
  Combine combine = Combine::mean;

  static constexpr auto fields() {
    using Self = BaggingOptions;
    return std::tuple{field("n_members", &Self::n_members, at_least(1), "members of the ensemble"),
                      field("subspace_size", &Self::subspace_size, at_least(1),
                            "features that each member sees; auto: all"),
                      field("combine", &Self::combine,
                            "how a feature's scores become one: mean over the members that drew "
                            "it; sum over all of them / members; mean place; features beaten; "
                            "how unlikely its places are")};
  }
};

/// Ranks features by what many members say, each of which ranks a part of the problem: some of the
/// features, and what is known about rows resampled with replacement (resampling.hpp). Any ranker
/// can be a member. Sets Ranking::committee, warns (early too) of features drawn fewer than five
/// times, and records every draw in the trace.
///
/// Deterministic for a seed and any number of threads; members run in parallel, so the memory is
/// that of one member for each thread.
/// A member that finds every feature undefined counts as one without a defined score; if all are
/// so, @throws DataError with the first member's reason.
/// @throws InvalidArgument if an option is out of range or the subspace larger than the table
Ranking bagging(const Problem& problem, const BaggingOptions& options, const Ranker& ranker);

/// How one member scores its features, given what it drew: one score per drawn feature.
using MemberScorer = std::function<std::vector<double>(const Draw&)>;

/// Lets members first .. last - 1 score what they drew, in parallel, and adds them to the tally in
/// their order.
void add_members(const Problem& problem, const Resampling& resampling, Index first, Index last,
                 const MemberScorer& score, Tally& tally);

}  // namespace tamis
