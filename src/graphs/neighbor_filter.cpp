#include "graphs/neighbor_filter.hpp"

#include <algorithm>
#include <vector>

namespace tamis {
namespace {

/// With float32 products: the more columns, the closer distances lie together and the larger the
/// rounding.
Index candidates_to_keep(const GramSource& source, Index k, Index cols) {
  return source.error_free ? k
                           : k + std::clamp<Index>(k * cols / 2048, 6, std::max<Index>(6, 2 * k));
}

/// The keys of each of some positions with all others.
std::vector<std::vector<double>> keys_of(const GramSource& source,
                                         std::span<const Index> positions) {
  std::vector<std::vector<double>> keys(positions.size());
  const auto worker = source.worker();
  worker->set_panel(positions);
  for (Index from = 0; from < source.size(); from += source.chunk_rows) {
    const Index to = std::min(source.size(), from + source.chunk_rows);
    const float* product = worker->tile(std::ssize(positions), from, to, GramSource::Needed::all);
    for (Index s = 0; s < std::ssize(positions); ++s)
      for (Index other = from; other < to; ++other, ++product) {
        if (other == positions[s]) continue;
        const double norms = source.squared_norms[positions[s]] + source.squared_norms[other];
        keys[s].push_back(std::max(0.0, norms - 2.0 * static_cast<double>(*product)));
      }
  }
  return keys;
}

/// How many candidates nearly all rows need, as some of them show: those whose keys are within the
/// bounds of keys of the k nearest, and a third as many again.
Index candidates_needed(const GramSource& source, Index k) {
  constexpr Index kSample = 16;
  std::vector<Index> positions(kSample);
  for (Index s = 0; s < kSample; ++s) positions[s] = s * source.size() / kSample;
  std::vector<std::vector<double>> keys = keys_of(source, positions);
  std::vector<Index> within(kSample);
  for (Index s = 0; s < kSample; ++s) {
    std::ranges::nth_element(keys[s], keys[s].begin() + (k - 1));
    const double kth = keys[s][k - 1] / (source.scale * source.scale);
    const double bound = source.largest_key(positions[s], kth);
    within[s] = std::ranges::count_if(keys[s], [&](double key) { return key <= bound; });
  }
  std::ranges::sort(within);
  const Index nearly_most = within[kSample - 2];
  return nearly_most + nearly_most / 3;
}

}  // namespace

NeighborFilter neighbor_filter(const MatrixView& x, std::span<const Index> among, Index k) {
  if (auto cheap = cheap_gram_source(x, among); cheap != nullptr) {
    const Index keep = cheap->error_free ? k : candidates_needed(*cheap, k);
    if (keep <= 3 * k + 24) return {std::move(cheap), keep};
  }
  auto source = gram_source(x, among);
  const Index keep = candidates_to_keep(*source, k, x.cols());
  return {std::move(source), keep};
}

}  // namespace tamis
