#include "ensembles/place_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"
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

/// The kTail smallest of the places that each feature is shown: all that a percentile needs.
class Smallest {
 public:
  explicit Smallest(Index n_features)
      : n_features_(n_features), kept_(n_features * kTail, std::numeric_limits<Index>::max()) {}

  /// Shows the features from begin to end - 1 one place each, `sign` times; no branch could be
  /// foretold.
  void show(std::span<const Index> places, Index sign, Index begin, Index end) {
    for_this_cpu([=, this, places = places.data()](auto cpu) TAMIS_KERNEL {
      using Cpu = decltype(cpu);
      constexpr Index kWidth = kRegisterLanes<Index, Cpu>;
      Index at = begin;
      for (; at + kWidth <= end; at += kWidth) sink<kWidth, Cpu>(places, sign, at);
      for (; at < end; ++at) sink<1, Cpu>(places, sign, at);
    });
  }
  Index last(Index feature) const { return kept_[(kTail - 1) * n_features_ + feature]; }

 private:
  /// A place sinks through those that are kept, and what is larger comes up.
  template <Index width, class Cpu>
  TAMIS_INLINE void sink(const Index* places, Index sign, Index at) {
    using Places = Lanes<Index, width, Cpu>;
    Places place = sign * Places::load(places + at);
    for (Index t = 0; t < kTail; ++t) {
      Index* const kept = &kept_[t * n_features_ + at];
      const auto before = Places::load(kept);
      smaller(place, before).store(kept);
      place = larger(place, before);
    }
  }

  Index n_features_;
  std::vector<Index> kept_;  // kTail x features, each feature's ascending
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
      PlaceFinder finder;
      for (Index s = first; s < last; ++s)
        finder.find(combined_scores[s - first], better, found[s]);
      stage.advance(last - first);
    });
    parallel_for(n_features, kFeaturesAtOnce, [&](Index first, Index last) {
      for (Index s = 0; s < size; ++s) {
        lowest.show(found[s].best, 1, first, last);
        highest.show(found[s].worst, -1, first, last);
      }
    });
  }
  PlaceRanges own;
  PlaceFinder().find(scores, better, own);
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
