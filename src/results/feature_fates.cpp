#include "results/feature_fates.hpp"

#include <fmt/format.h>

namespace tamis {

std::vector<std::string> feature_fates(const Ranking& ranking,
                                       const std::function<std::string(Index column)>& name_of) {
  if (!ranking.subset) return {};
  std::vector<std::string> fates(ranking.scores.size());
  for (const Index column : *ranking.subset) fates[column] = "kept";
  if (ranking.redundancy)
    for (const auto& [feature, because_of, correlation] : ranking.redundancy->removed)
      fates[feature] =
          fmt::format("removed: repeats {}, |rho| {:.2f}", name_of(because_of), correlation);
  return fates;
}

}  // namespace tamis
