#pragma once

#include <string>
#include <vector>

#include "support/sample.hpp"

namespace tamis::test {

/// What a weighted k-means must do from a given start on a golden problem.
struct GoldenClustering {
  Sample sample;
  double beta = 0.0;
  std::vector<double> centroids = {};
  std::vector<double> weights = {};
  std::vector<double> objectives = {};  ///< of each iteration
  std::vector<double> final_weights = {};
  std::vector<double> local_weights = {};  ///< clusters x columns; of l2gfs
  std::vector<double> memberships = {};    ///< rows x clusters; of wckm
  std::vector<Index> assignment = {};      ///< of l2gfs
};

/// The entry "wckm" or "l2gfs" of a problem in tests/data/golden.
GoldenClustering load_golden_clustering(const std::string& name, const std::string& method);

}  // namespace tamis::test
