#include "ensembles/place_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.hpp"
#include "ensembles/places.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

constexpr Index kResamples = 100;
/// Resamples for which groups are read once.
constexpr Index kTogether = 4;
constexpr Index kTail = 5;  // of a hundred: the 5th and the 95th percentile

/// Members draw from the streams 0, 1, 2, ... of the seed.
constexpr std::uint64_t kStream = std::numeric_limits<std::uint64_t>::max();

/// How often each resample draws each group.
std::vector<std::vector<Index>> draw_resamples(Index n_groups, std::uint64_t seed) {
  RandomStream random(seed, kStream);
  std::vector<std::vector<Index>> resamples(kResamples, std::vector<Index>(n_groups, 0));
  for (std::vector<Index>& times : resamples)
    for (Index draw = 0; draw < n_groups; ++draw) ++times[random.below(n_groups)];
  return resamples;
}

/// The kTail smallest of the numbers that each feature is shown: all that a percentile needs.
class Smallest {
 public:
  explicit Smallest(Index n_features)
      : kept_(n_features * kTail, std::numeric_limits<Index>::max()) {}

  void show(Index feature, Index number) {
    Index* const first = &kept_[feature * kTail];
    Index* place = first + kTail - 1;
    if (number >= *place) return;
    for (; place != first && place[-1] > number; --place) *place = place[-1];
    *place = number;
  }
  Index last(Index feature) const { return kept_[(feature + 1) * kTail - 1]; }

 private:
  std::vector<Index> kept_;  // ascending for each feature
};

}  // namespace

PlaceIntervals place_intervals(std::span<const VoteSums> groups, std::span<const double> scores,
                               Better better, const Run& run) {
  constexpr Index kFeaturesAtOnce = 1024;
  const Index n_features = std::ssize(scores);
  const std::vector<std::vector<Index>> resamples = draw_resamples(std::ssize(groups), run.seed);
  Smallest lowest(n_features);
  Smallest highest(n_features);  // of the negative places
  Progress::Stage stage(run.progress, "places", kResamples);
  std::vector<PlaceRanges> found(std::min(kResamples, kTogether * max_threads()));
  for (Index begin = 0; begin < kResamples; begin += std::ssize(found)) {
    const Index size = std::min(kResamples - begin, static_cast<Index>(found.size()));
    parallel_for(size, kTogether, [&](Index first, Index last) {
      const SerialSection alone;
      const auto drawn = std::span(resamples).subspan(begin + first, last - first);
      const std::vector<std::vector<double>> combined_scores = combined(groups, drawn);
      for (Index s = first; s < last; ++s)
        found[s] = place_ranges(combined_scores[s - first], better);
      stage.advance(last - first);
    });
    parallel_for(n_features, kFeaturesAtOnce, [&](Index first, Index last) {
      for (Index s = 0; s < size; ++s)
        for (Index r = first; r < last; ++r) {
          lowest.show(r, found[s].best[r]);
          highest.show(r, -found[s].worst[r]);
        }
    });
  }
  const PlaceRanges own = place_ranges(scores, better);
  PlaceIntervals result{std::vector<double>(n_features, kUndefined),
                        std::vector<double>(n_features, kUndefined)};
  for (Index r = 0; r < n_features; ++r) {
    if (std::isnan(scores[r])) continue;
    result.low[r] = static_cast<double>(std::min(own.best[r], lowest.last(r)));
    result.high[r] = static_cast<double>(std::max(own.worst[r], -highest.last(r)));
  }
  return result;
}

}  // namespace tamis
