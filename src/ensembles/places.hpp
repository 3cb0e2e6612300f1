#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/column_sorter.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// Calls visit(begin, end) for each run of places that tie, those that are alone among them.
template <class AreTied, class Visit>
void for_each_tie(std::span<const Index> order, AreTied&& are_tied, Visit&& visit) {
  for (Index begin = 0, end = 1; begin < std::ssize(order); begin = end++) {
    while (end < std::ssize(order) && are_tied(order[begin], order[end])) ++end;
    visit(begin, end);
  }
}

/// The places that each feature may have, from 1: those of all that tie with it.
struct PlaceRanges {
  std::vector<Index> best;
  std::vector<Index> worst;
};

/// Finds the places of many lists of scores in memory that is reused.
class PlaceFinder {
 public:
  /// Undefined scores tie, after all others.
  void find(std::span<const double> scores, Better better, PlaceRanges& places);

 private:
  ColumnSorter<double, std::uint64_t> sorter_;
  std::vector<double> keys_;    // of the defined scores, the best one lowest
  std::vector<Index> defined_;  // features
};

}  // namespace tamis
