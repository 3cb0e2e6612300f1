#pragma once

#include <span>
#include <vector>

#include "levels/correlations.hpp"
#include "methods/ridge_omp/row_evidence.hpp"

namespace tamis {

/// Sums over more labeled rows than there are columns, of ranks z.
struct LabelSums {
  std::vector<Index> sizes = {};     ///< of the classes
  RowVectors means = {};             ///< of each column in each class
  std::vector<double> squares = {};  ///< sum (z - mean)^2 of each column over the labeled rows
  const Correlations* correlations = nullptr;  ///< of the columns over the labeled rows
};

/// The evidence of labels of which nothing but sums is known: ridge regression in its primal form,
///
///   diag(sqrt(G)) (A + lambda tr(A)/l I)^-1 diag(sqrt(G)) (Z_known - mu)' Y,
///
/// A = diag(sqrt(G)) (Z_known - mu)'(Z_known - mu) diag(sqrt(G)), by conjugate gradients.
std::unique_ptr<MatchingTarget::Evidence> evidence_of_label_sums(LabelSums sums);

}  // namespace tamis
