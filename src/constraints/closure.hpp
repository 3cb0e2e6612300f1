#pragma once

#include "tamis/core/knowledge.hpp"

namespace tamis {

/// The transitive closure: must-link is transitive, and a cannot-link spreads to the whole
/// must-link components of its two ends. Every pair once, first < second, ascending, with the
/// weight that closure_tree.hpp tells: that of the lightest pair on the best way to it. `known`
/// gives the names of rows for messages; its labels are not used.
/// @throws DataError naming the two rows of a cannot-link inside a must-link component
PairConstraints closure(const PairConstraints& pairs, Index rows, const Knowledge& known);

}  // namespace tamis
