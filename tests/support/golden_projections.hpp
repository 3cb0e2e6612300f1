#pragma once

#include <string>
#include <vector>

#include "support/sample.hpp"
#include "tamis/core/options.hpp"

namespace tamis::test {

/// What a projection must give on a golden problem.
struct GoldenProjection {
  std::string method;
  OptionTexts options;
  std::vector<double> eigenvalues;
  std::vector<double> components;  ///< one after the other
  std::vector<double> mean;
};

/// Values of an independent implementation, in tests/data/golden.
std::vector<GoldenProjection> load_golden_projections(const std::string& name);

}  // namespace tamis::test
