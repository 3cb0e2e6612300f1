#pragma once

#include <chrono>

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

using Clock = std::chrono::steady_clock;

/// What is to be kept of a ranking whatever the table was; columns without names are called f0, f1,
/// ...
KeptRanking kept_ranking(const RankingPlan& plan, std::uint64_t seed, ProblemFacts data,
                         std::vector<std::string> names, Ranking ranking,
                         Clock::time_point started);

}  // namespace tamis::python
