#include "ensembles/places.hpp"

#include <cmath>

namespace tamis {

void PlaceFinder::find(std::span<const double> scores, Better better, PlaceRanges& places) {
  const Index n_features = std::ssize(scores);
  keys_.clear();
  defined_.clear();
  const double sign = better == Better::lower ? 1.0 : -1.0;
  for (Index r = 0; r < n_features; ++r) {
    if (std::isnan(scores[r])) continue;
    keys_.push_back(sign * scores[r]);
    defined_.push_back(r);
  }
  const Index n_defined = std::ssize(defined_);
  places.best.assign(n_features, n_defined + 1);
  places.worst.assign(n_features, n_features);
  const auto sorted = sorter_.sort(keys_);
  for_each_tie(sorted, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      const Index feature = defined_[sorted[s].place];
      places.best[feature] = begin + 1;
      places.worst[feature] = end;
    }
  });
}

}  // namespace tamis
