#pragma once

#include "report/row_plane.hpp"
#include "results/ranking_result.hpp"

namespace tamis::python {

/// What a Ranking of Python holds: all that a page and a pickled copy need of the table.
struct KeptRanking : RankingResult {
  std::string hash = {};
  std::vector<std::pair<std::string, Index>> class_counts = {};
  std::optional<RowPlane> plane = std::nullopt;

  static constexpr auto fields() {
    using Self = KeptRanking;
    return joined(
        RankingResult::fields(),
        field_list(named("subset", &Ranking::subset, Form::list).within(&RankingResult::ranking),
                   named("hash", &Self::hash),
                   named("class_counts", &Self::class_counts, Form::object),
                   named("plane", &Self::plane)));
  }
};

}  // namespace tamis::python
