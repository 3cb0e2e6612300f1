#include "python/kept_ranking.hpp"

#include <fmt/format.h>

#include "core/peak_memory.hpp"

namespace tamis::python {

KeptRanking kept_ranking(const RankingPlan& plan, std::uint64_t seed, ProblemFacts data,
                         std::vector<std::string> names, Ranking ranking,
                         Clock::time_point started) {
  KeptRanking kept;
  kept.version = TAMIS_VERSION;
  kept.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  kept.peak_memory_bytes = peak_memory_bytes();
  kept.names = std::move(names);
  for (Index r = std::ssize(kept.names); r < data.features; ++r)
    kept.names.push_back(fmt::format("f{}", r));
  kept.task = ranking_task(plan, seed, std::move(data));
  kept.ranking = std::move(ranking);
  kept.selected = plan.selected(kept.ranking);
  return kept;
}

}  // namespace tamis::python
