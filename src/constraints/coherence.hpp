#pragma once

#include <span>
#include <vector>

#include "tamis/core/knowledge.hpp"
#include "tamis/core/matrix.hpp"

namespace tamis {

/// How far must-links and cannot-links point in different directions, as fractions: 1 if no
/// constraint overlaps one of the other kind.
struct Coherence {
  double of_set = 1.0;
  std::vector<double> must_link = {};  ///< of each constraint, in the order given
  std::vector<double> cannot_link = {};
};

/// The overlap of pair p on pair q is the length of the intersection of q with the projection of p
/// on the line through q; 0 if one of them has no length, and below 1e-12 |q| it counts as 0. A
/// set's coherence is the fraction of its (must-link, cannot-link) combinations whose two overlaps
/// are 0, and that of a constraint the fraction of the other kind on which its overlap is 0. All
/// are 1 without must-links or without cannot-links. Davidson, Wagstaff, Basu, "Measuring
/// constraint-set utility for partitional clustering algorithms", PKDD 2006.
///
/// Deterministic; O(r^2 m) for r rows in m columns plus O(must-links x cannot-links).
/// @throws DataError if there are more than 10^11 combinations
Coherence coherence(const MatrixView& x, std::span<const RowPair> must_link,
                    std::span<const RowPair> cannot_link);

/// The constraints that are at least as coherent as the set, in the order given. They may be fed to
/// ConstraintSet(rows, pairs).
PairConstraints select_coherent(const MatrixView& x, std::span<const RowPair> must_link,
                                std::span<const RowPair> cannot_link);

/// The same from a coherence that is known already.
PairConstraints select_coherent(const Coherence& coherence, std::span<const RowPair> must_link,
                                std::span<const RowPair> cannot_link);

}  // namespace tamis
