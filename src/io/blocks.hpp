#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tamis/core/buffer.hpp"

namespace tamis {

/// A sequence that grows without moving, and whose front can be given back: while something is made
/// of it, both take hardly more memory than one.
template <class T>
class Blocks {
 public:
  std::size_t size() const { return size_; }
  T operator[](std::size_t at) const { return blocks_[at / kItems][at % kItems]; }

  void push_back(T item) { *room(1).data() = item; }
  void append(std::span<const T> items) {
    while (!items.empty()) {
      const std::span<T> place = room(items.size());
      std::ranges::copy(items.first(place.size()), place.begin());
      items = items.subspan(place.size());
    }
  }

  /// Frees whole blocks in front of a place.
  void free_before(std::size_t at) {
    for (; freed_ < at / kItems; ++freed_) Buffer<T>().swap(blocks_[freed_]);
  }

  /// All of them in one piece, in place of the blocks.
  std::vector<T> joined() && {
    std::vector<T> all;
    all.reserve(size_);  // which takes no memory before it is filled
    for (Buffer<T>& block : blocks_) {
      all.insert(all.end(), block.begin(),
                 block.begin() + static_cast<std::ptrdiff_t>(std::min(kItems, size_ - all.size())));
      Buffer<T>().swap(block);
    }
    return all;
  }

 private:
  // So large that freed ones go back to the system whatever was freed before.
  static constexpr std::size_t kItems = (std::size_t{1} << 22) / sizeof(T);

  /// For the next items, as many as one block takes of so many.
  std::span<T> room(std::size_t count) {
    const std::size_t place = size_ % kItems;
    if (place == 0) blocks_.emplace_back(kItems);
    count = std::min(count, kItems - place);
    size_ += count;
    return {blocks_.back().data() + place, count};
  }

  std::vector<Buffer<T>> blocks_ = {};
  std::size_t size_ = 0;
  std::size_t freed_ = 0;
};

}  // namespace tamis
