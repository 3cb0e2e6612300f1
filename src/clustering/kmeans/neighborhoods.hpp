#pragma once

#include <vector>

#include "clustering/links.hpp"
#include "core/random.hpp"

namespace tamis {

/// The centroids that must-links suggest: means of groups of rows that belong together.
struct Neighborhoods {
  std::vector<double> centroids = {};  ///< at most n_clusters of them
  std::vector<Index> other_rows = {};  ///< in none of the groups
};

/// Groups are labeled classes and sets of at least two must-linked rows. Of more groups than
/// clusters: the largest, then the one of the greatest product of size and distance from the
/// nearest chosen one, and so on; ties to the first (Bilenko, Basu, Mooney 2004, section 3.3). With
/// `random`, each is drawn by that product instead.
Neighborhoods neighborhoods(const Problem& problem, const Links& links, Index n_clusters,
                            RandomStream* random = nullptr);

}  // namespace tamis
