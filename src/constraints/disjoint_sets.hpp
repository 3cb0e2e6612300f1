#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// 0 .. n - 1 in sets that grow together (union-find with path halving and union by size).
class DisjointSets {
 public:
  explicit DisjointSets(Index n) : parent_(n), size_(n, 1) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }

  /// The member that stands for the whole set of i.
  Index root(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  bool together(Index i, Index j) { return root(i) == root(j); }

  /// Returns false if they were together already.
  bool join(Index i, Index j) {
    Index larger = root(i);
    Index smaller = root(j);
    if (larger == smaller) return false;
    if (size_[larger] < size_[smaller]) std::swap(larger, smaller);
    parent_[smaller] = larger;
    size_[larger] += size_[smaller];
    return true;
  }

 private:
  std::vector<Index> parent_;
  std::vector<Index> size_;
};

}  // namespace tamis
