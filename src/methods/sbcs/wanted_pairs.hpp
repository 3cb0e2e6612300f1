#pragma once

#include <span>
#include <vector>

#include "constraints/constraint_set.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// Two rows, how alike they ought to be (0 or 1), and how much that counts.
struct WantedPair {
  Index first;
  Index second;
  double target;
  double weight;
};

/// Pairs of rows and how alike they ought to be.
struct WantedPairs {
  /// Rows of which every two are a pair, ascending, and the class of each: rows of one class ought
  /// to be alike, others not.
  std::vector<Index> rows = {};
  std::vector<Index> classes = {};
  /// Pairs of these rows, by their places there, first < second, for which something else holds.
  std::vector<WantedPair> changed = {};
  /// Pairs besides.
  std::vector<WantedPair> listed = {};
};

/// Must-links and cannot-links, and no others.
WantedPairs linked_pairs(const ConstraintSet& constraints);

/// All pairs of rows. Rows of one class ought to be alike, and must-links, whatever their classes.
WantedPairs all_pairs(const ConstraintSet& constraints, std::vector<Index> classes);

}  // namespace tamis
