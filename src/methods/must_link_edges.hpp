#pragma once

#include "constraints/constraint_set.hpp"
#include "graphs/graph.hpp"

namespace tamis {

/// Asks for an edge between any two must-linked rows: classes as groups, other pairs one by one.
inline void add_must_links(const ConstraintSet& constraints, GraphEdits& edits) {
  edits.joined.assign(constraints.classes().begin(), constraints.classes().end());
  edits.added.assign(constraints.extra_must_link().begin(), constraints.extra_must_link().end());
}

}  // namespace tamis
