#pragma once

#include <string>
#include <vector>

#include "support/sample.hpp"

namespace tamis::test {

/// The orders that ridge_omp must give on a golden problem, best first.
struct GoldenOrders {
  Sample sample;
  std::vector<Index> with_labels = {};
  std::vector<Index> with_pairs = {};  ///< the pairs of `pairs` in place of the labels
  std::vector<Index> unsupervised = {};
  PairConstraints pairs = {};
};

/// @param edition "ridge_omp": the first; "ridge_omp2": the second, without judging
GoldenOrders load_golden_orders(const std::string& name, const std::string& edition);

}  // namespace tamis::test
