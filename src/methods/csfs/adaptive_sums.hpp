#pragma once

#include <vector>

#include "graphs/group_pairs.hpp"
#include "methods/constrained_denominator.hpp"
#include "methods/csfs/kept_constraints.hpp"
#include "methods/csfs/neighborhood.hpp"

namespace tamis {

/// What csfs sums up over pairs of rows.
struct AdaptiveSums {
  std::vector<double> differences = {};  ///< of each column: sum of (S+N)_ij (f_i - f_j)^2
  std::vector<double> degrees = {};      ///< of each row: sum of S_ij
  double weight = 0.0;                   ///< of S+N
  double squared_weight = 0.0;
  Index neighbors = 0;   ///< pairs of them
  Index edges = 0;       ///< pairs of S+N
  Index must_links = 0;  ///< that are kept
};

/// S weighs neighbours by w. In S+N must-linked neighbours weigh 0, cannot-linked ones w + v w^2,
/// and must-linked rows that are no neighbours v w^2, v being the weight of the pair.
AdaptiveSums adaptive_sums(const MatrixView& x, const KeptConstraints& constraints,
                           const Neighborhood& neighbors, const PairWeight& weight,
                           const Progress& progress);

/// The kept cannot-links, and how many of them there are.
struct KeptCannotLinks {
  CannotLinkTerms terms = {};
  Index count = 0;
};
KeptCannotLinks kept_cannot_links(const MatrixView& x, const KeptConstraints& constraints,
                                  std::span<const double> degrees, const Progress& progress);

/// The same as a list.
std::vector<RowPair> listed_cannot_links(const KeptConstraints& constraints);

}  // namespace tamis
