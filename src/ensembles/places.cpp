#include "ensembles/places.hpp"

#include <cmath>

namespace tamis {

PlaceRanges place_ranges(std::span<const double> scores, Better better) {
  const std::vector<Index> order = best_first(scores, better);
  PlaceRanges places{std::vector<Index>(scores.size()), std::vector<Index>(scores.size())};
  const auto are_tied = [&](Index a, Index b) {
    return scores[a] == scores[b] || (std::isnan(scores[a]) && std::isnan(scores[b]));
  };
  for_each_tie(order, are_tied, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      places.best[order[s]] = begin + 1;
      places.worst[order[s]] = end;
    }
  });
  return places;
}

}  // namespace tamis
