#include "clustering/ward/near_list.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tamis {

float round_down(double squared) {
  const double low = std::min<double>(squared * (1.0 - 1e-6), std::numeric_limits<float>::max());
  const auto rounded = static_cast<float>(low);
  return static_cast<double>(rounded) <= squared ? rounded : 0.0F;
}

Shortlist::Shortlist(double limit) {
  const float bound = std::isinf(limit) ? NearCluster{}.bound : round_down(limit);
  nearest_.fill({.bound = bound});
}

void Shortlist::show(Index cluster, double squared) {
  if (is_beyond(squared)) return;
  const NearCluster entry{static_cast<std::int32_t>(cluster), round_down(squared)};
  Index place = NearList::kMost;
  for (; place > 0 && entry.bound < nearest_[place - 1].bound; --place)
    nearest_[place] = nearest_[place - 1];
  nearest_[place] = entry;
}

NearList Shortlist::list() const {
  NearList list{.bound_of_rest = static_cast<double>(nearest_.back().bound)};
  std::copy_n(nearest_.begin(), NearList::kMost, list.entries.begin());
  while (list.count < NearList::kMost && list.entries[list.count].cluster >= 0) ++list.count;
  return list;
}

NearList NearLists::get(Index cluster) const {
  const Place& place = places_[cluster];
  NearList list{.count = place.count, .bound_of_rest = place.bound_of_rest};
  auto out = list.listed();
  for (std::int32_t at = place.first; at >= 0; at = blocks_[at].next) {
    const auto& entries = blocks_[at].entries;
    const auto count = std::min(out.size(), entries.size());
    std::copy_n(entries.begin(), count, out.begin());
    out = out.subspan(count);
  }
  return list;
}

void NearLists::set(Index cluster, const NearList& list) {
  clear(cluster);
  Place& place = places_[cluster];
  place = {.count = static_cast<std::int32_t>(list.count), .bound_of_rest = list.bound_of_rest};
  std::int32_t* link = &place.first;
  std::span<const NearCluster> left(list.entries.data(), static_cast<std::size_t>(list.count));
  while (!left.empty()) {
    *link = take_block();
    Block& block = blocks_[*link];
    const auto count = std::min(left.size(), block.entries.size());
    std::copy_n(left.begin(), count, block.entries.begin());
    left = left.subspan(count);
    link = &block.next;
  }
}

void NearLists::clear(Index cluster) {
  Place& place = places_[cluster];
  while (place.first >= 0) {
    const std::int32_t next = std::exchange(blocks_[place.first].next, free_);
    free_ = std::exchange(place.first, next);
  }
  place = {};
}

/// One that is free, or a new one.
std::int32_t NearLists::take_block() {
  if (free_ < 0) {
    blocks_.push_back({.entries = {}, .next = -1});
    return static_cast<std::int32_t>(blocks_.size() - 1);
  }
  const std::int32_t taken = free_;
  free_ = std::exchange(blocks_[taken].next, -1);
  return taken;
}

}  // namespace tamis
