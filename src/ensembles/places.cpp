#include "ensembles/places.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tamis {

std::vector<Index> best_first(std::span<const double> scores, Better better) {
  std::vector<std::pair<double, Index>> defined;  // keys beside positions: faster than looking up
  std::vector<Index> undefined;
  defined.reserve(scores.size());
  for (Index s = 0; s < std::ssize(scores); ++s)
    if (std::isnan(scores[s]))
      undefined.push_back(s);
    else
      defined.emplace_back(better == Better::lower ? scores[s] : -scores[s], s);
  std::ranges::sort(defined);
  std::vector<Index> order;
  order.reserve(scores.size());
  for (const auto& [key, position] : defined) order.push_back(position);
  order.insert(order.end(), undefined.begin(), undefined.end());
  return order;
}

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
