#pragma once

#include <span>

#include "constraints/constraint_set.hpp"
#include "tamis/core/fields.hpp"

namespace tamis {

/// How many constraints a clustering breaks: must-links between two clusters, cannot-links within
/// one.
struct Violations {
  Index must_link = 0;
  Index cannot_link = 0;

  static constexpr auto fields() {
    using Self = Violations;
    return field_list(named("must_link", &Self::must_link),
                      named("cannot_link", &Self::cannot_link));
  }
};

/// `clusters` numbers the cluster of every row from 0. Pairs that labels imply are counted by class
/// and cluster, not listed: O(rows + classes x clusters + other pairs).
Violations violations(const ConstraintSet& constraints, std::span<const Index> clusters);

/// The fraction of the constraints that a clustering made without them breaks: what they tell that
/// the table does not. 0 without constraints. Davidson, Wagstaff, Basu, "Measuring constraint-set
/// utility for partitional clustering algorithms", PKDD 2006.
double informativeness(const ConstraintSet& constraints, std::span<const Index> clusters);

}  // namespace tamis
