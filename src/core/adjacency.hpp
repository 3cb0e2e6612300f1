#pragma once

#include <span>
#include <vector>

#include "tamis/core/knowledge.hpp"

namespace tamis {

/// For each row the pairs it is in: those of row i are the entries offsets[i] .. offsets[i + 1] - 1
/// of partners and weights, in the order of the pairs.
struct Adjacency {
  std::vector<Index> offsets;
  std::vector<Index> partners;
  std::vector<double> weights;

  Adjacency(Index rows, std::span<const RowPair> pairs);
};

}  // namespace tamis
