#pragma once

#include <span>
#include <vector>

#include "ensembles/aggregation.hpp"
#include "tamis/core/run.hpp"

namespace tamis {

/// Resamples of fewer members differ too little from each other: intervals would look too sure.
inline constexpr Index kFewestMembersForIntervals = 10;

/// From which to which place, from 1, each feature comes; undefined for features without a score.
struct PlaceIntervals {
  std::vector<double> low;
  std::vector<double> high;
};

/// How sure places are, by a bootstrap of the members: as many groups of them as there are, drawn
/// with replacement, rank the features anew, a hundred times; 90 % of a feature's places are in its
/// interval, and so is that which it has by `scores`, the ranking of all groups. Features that tie
/// have all the places of their tie. O(groups x features) memory, whatever the number of members.
PlaceIntervals place_intervals(std::span<const VoteSums> groups, std::span<const double> scores,
                               Better better, const Run& run);

}  // namespace tamis
