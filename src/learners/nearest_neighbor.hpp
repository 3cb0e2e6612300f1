#pragma once

#include <span>
#include <vector>

#include "tamis/core/matrix.hpp"

/// Classification by the nearest training row: a test row gets the label of the row found here.
namespace tamis {

/// For each test row, the training row at the smallest Euclidean distance over all columns; ties to
/// the one listed first. Exact; O(train x test x columns); memory for a block of training rows.
/// Deterministic for any number of threads.
/// @throws InvalidArgument if there is no training row
std::vector<Index> nearest_rows(const MatrixView& x, std::span<const Index> train,
                                std::span<const Index> test);

/// The nearest training rows by several prefixes of a list of features.
struct PrefixNeighbors {
  Index n_test = 0;
  std::vector<Index> rows = {};  ///< prefixes x test rows

  /// Of each test row, by the prefix of length lengths[place].
  std::span<const Index> at(Index place) const {
    return std::span(rows).subspan(place * n_test, n_test);
  }
};

/// The same by the first lengths[0], lengths[1], ... of the features, as if each prefix were a
/// table of its own, in one pass: distances grow feature by feature, as sums in double in the order
/// of the list. O(train x test x longest prefix) for all prefixes together; memory for the listed
/// features of the training rows, dense, and for distances of a small block.
/// @throws InvalidArgument if there is no training row, a feature does not exist or comes twice, or
/// lengths do not ascend within 1 .. number of features
PrefixNeighbors nearest_rows_by_prefix(const MatrixView& x, std::span<const Index> train,
                                       std::span<const Index> test, std::span<const Index> features,
                                       std::span<const Index> lengths);

}  // namespace tamis
