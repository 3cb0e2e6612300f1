#include "graphs/candidate_pool.hpp"

#include <algorithm>
#include <limits>

namespace tamis {
namespace {

/// Up to so many entries it costs less to move those behind a new one than to let them pile up: the
/// limit is always the best there can be, so that few more come.
constexpr Index kLongestInOrder = 64;

}  // namespace

CandidatePool::CandidatePool(Index positions, Index keep, Index stripe)
    : keep_(keep),
      in_order_(keep <= kLongestInOrder),
      capacity_(in_order_ ? keep : 2 * keep),
      stripe_(stripe),
      entries_(positions * capacity_),
      counts_(positions, 0),
      limits_(positions, std::numeric_limits<float>::infinity()),
      locks_(positions / stripe + 1) {}

void CandidatePool::offer(std::span<const Hit> hits) {
  for (std::size_t s = 0; s < hits.size();) {
    const Index stripe = hits[s].left / stripe_;
    const std::scoped_lock lock(locks_[stripe]);
    for (; s < hits.size() && hits[s].left / stripe_ == stripe; ++s)
      insert(hits[s].left, hits[s].key, hits[s].right);
  }
}

void CandidatePool::offer_reversed(std::span<const Hit> hits) {
  if (hits.empty()) return;
  const std::scoped_lock lock(locks_[hits[0].right / stripe_]);
  for (const Hit& hit : hits) insert(hit.right, hit.key, hit.left);
}

void CandidatePool::copy_limits(Index begin, Index end, float* out) {
  for (Index from = begin; from < end;) {
    const Index to = std::min(end, (from / stripe_ + 1) * stripe_);
    const std::scoped_lock lock(locks_[from / stripe_]);
    std::copy(limits_.begin() + from, limits_.begin() + to, out + (from - begin));
    from = to;
  }
}

std::vector<CandidatePool::Candidate> CandidatePool::best(Index position) {
  if (counts_[position] > keep_) shrink(position);
  std::vector<Candidate> others(counts_[position]);
  for (Index s = 0; s < std::ssize(others); ++s) {
    const std::uint64_t entry = entries_[position * capacity_ + s];
    others[s] = {static_cast<Index>(entry & 0xffffffffU), key_of(entry)};
  }
  return others;
}

void CandidatePool::insert(std::uint32_t owner, float key, std::uint32_t other) {
  if (key > limits_[owner]) return;
  const std::uint64_t entry = pack(std::max(key, 0.0F), other);
  if (in_order_) return insert_in_order(owner, entry);
  entries_[owner * capacity_ + counts_[owner]++] = entry;
  if (counts_[owner] == capacity_) shrink(owner);
}

void CandidatePool::insert_in_order(std::uint32_t owner, std::uint64_t entry) {
  std::uint64_t* const list = entries_.data() + owner * capacity_;
  Index place = counts_[owner];
  if (place == keep_) {  // the last one leaves, unless the new one came after it
    if (list[--place] < entry) return;
  } else {
    ++counts_[owner];
  }
  for (; place > 0 && list[place - 1] > entry; --place) list[place] = list[place - 1];
  list[place] = entry;
  if (counts_[owner] == keep_) limits_[owner] = key_of(list[keep_ - 1]);
}

void CandidatePool::shrink(Index position) {
  const auto begin = entries_.begin() + position * capacity_;
  const auto last_kept = begin + (keep_ - 1);
  std::nth_element(begin, last_kept, begin + counts_[position]);
  counts_[position] = static_cast<std::uint32_t>(keep_);
  limits_[position] = key_of(*last_kept);
}

}  // namespace tamis
