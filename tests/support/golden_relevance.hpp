#pragma once

#include <string>
#include <vector>

#include "support/sample.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis::test {

/// What ridge_omp must say of a golden problem with given folds and no decoys.
struct GoldenRelevance {
  std::string title = {};
  Sample sample;
  std::vector<Index> folds = {};
  Relevance relevance = {};
  std::vector<Index> order = {};
  std::vector<double> gains = {};  ///< of the greedy steps
};

std::vector<GoldenRelevance> load_golden_relevance(const std::string& name);

/// The law by itself.
struct GoldenTail {
  std::vector<double> eigenvalues = {};
  Index dimension = 0;
  std::vector<double> x = {};
  std::vector<double> log_p = {};
};

GoldenTail load_golden_tail(const std::string& name);

}  // namespace tamis::test
