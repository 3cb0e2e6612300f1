#pragma once

#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// Sums of squares of each column over the labeled rows.
struct ClassSpread {
  std::vector<double> mean = {};
  std::vector<double> between = {};      ///< sum_c n_c (mu_c - mu)^2
  std::vector<double> within = {};       ///< sum_c n_c sigma_c^2; 0 if constant within every class
  std::vector<bool> varies = {};         ///< among the labeled rows; exact
  std::vector<bool> varies_within = {};  ///< some class; exact
};

ClassSpread class_spread(const Problem& problem);

}  // namespace tamis
