#pragma once

#include <vector>

#include "tamis/core/knowledge.hpp"

namespace tamis {

/// One class against all other labeled rows.
struct OneAgainstRest {
  Index label = 0;                 ///< of the class
  std::vector<double> signs = {};  ///< of the labeled rows: 1 in the class, -1 elsewhere
};

/// A task for each class, ascending; two classes are one task, the first against the second.
std::vector<OneAgainstRest> one_against_rest(const Knowledge& known);

}  // namespace tamis
