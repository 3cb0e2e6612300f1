#pragma once

#include <span>
#include <vector>

#include "tamis/core/ranking.hpp"

/// What rankings say of columns that stand together for one feature: Problem::feature_groups.
namespace tamis {

/// The given columns, each followed by those of its group that do not come before it.
std::vector<Index> with_whole_groups(std::span<const Index> columns, std::span<const Index> groups);

/// Scores groups as such: all columns of a group stand where its best one does, the best first, and
/// have its score. A subset that holds one of them holds them all. What else a ranking says of
/// columns remains said of each.
Ranking by_groups(Ranking ranking, std::span<const Index> groups);

}  // namespace tamis
