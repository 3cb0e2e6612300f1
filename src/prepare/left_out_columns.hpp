#pragma once

#include <span>

#include "tamis/core/ranking.hpp"

namespace tamis {

/// A ranking of some columns of a table (ascending) as one of all its `count` columns: the others
/// have no score and come last, in order, undefined like columns for which a formula has no value.
Ranking among_all_columns(Ranking ranking, std::span<const Index> columns, Index count);

}  // namespace tamis
