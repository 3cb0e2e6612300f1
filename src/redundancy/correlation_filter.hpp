#pragma once

#include "redundancy/scaled_columns.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {

/// |rho| of all pairs of columns in float32 by matrix products: a filter, with a bound on its
/// error.
struct FilteredCorrelations {
  Index stride = 0;    ///< of a row; a multiple of 16
  double error = 0.0;  ///< no value is farther from |rho| than this
  Buffer<float> values = {};

  const float* row(Index a) const { return values.data() + a * stride; }
};

FilteredCorrelations filter_correlations(const ScaledColumns& columns);

}  // namespace tamis
