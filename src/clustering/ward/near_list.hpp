#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "tamis/core/index.hpp"

namespace tamis {

/// As float32 and a little smaller: reducibility holds for exact distances, and rounding may break
/// it by far less than this.
float round_down(double squared);

/// A cluster near another, and a lower bound of their squared distance.
struct NearCluster {
  std::int32_t cluster = -1;
  float bound = std::numeric_limits<float>::infinity();
};

/// The clusters near one, ascending by bound, and a bound below which no other comes.
struct NearList {
  /// Longer lists are good for longer, but every cluster has one.
  static constexpr Index kMost = 48;

  std::array<NearCluster, kMost> entries = {};
  Index count = 0;
  double bound_of_rest = 0.0;

  std::span<NearCluster> listed() {
    return std::span(entries).first(static_cast<std::size_t>(count));
  }
  /// Whether the bounds leave open which cluster is the nearest.
  bool is_used_up() const { return static_cast<double>(entries[0].bound) >= bound_of_rest; }
};

/// The NearList::kMost nearest of those it is shown that are nearer than a limit, and the least
/// distance that the rest may have.
class Shortlist {
 public:
  explicit Shortlist(double limit = std::numeric_limits<double>::infinity());

  void show(Index cluster, double squared);
  /// Whether it takes nobody at such a distance or farther.
  bool is_beyond(double squared) const {
    return squared >= static_cast<double>(nearest_.back().bound);
  }
  NearList list() const;

 private:
  std::array<NearCluster, NearList::kMost + 1> nearest_ = {};
};

/// A list for each cluster, empty to begin with, in little more memory than their entries take:
/// most are far from full, and those of two that merge make room for that of what they become.
class NearLists {
 public:
  explicit NearLists(Index clusters) : places_(static_cast<std::size_t>(clusters)) {}

  NearList get(Index cluster) const;
  double bound_of_rest(Index cluster) const { return places_[cluster].bound_of_rest; }
  void set(Index cluster, const NearList& list);
  void clear(Index cluster);

 private:
  /// All lists are made of blocks of one size, so that any can take what another has left.
  struct Block {
    std::array<NearCluster, 8> entries;
    std::int32_t next;  ///< of the list, or of those that are free; -1: none
  };
  struct Place {
    std::int32_t first = -1;
    std::int32_t count = 0;  ///< of entries
    double bound_of_rest = 0.0;
  };
  std::int32_t take_block();

  std::deque<Block> blocks_;  // grows without a copy
  std::int32_t free_ = -1;
  std::vector<Place> places_;
};

}  // namespace tamis
