#pragma once

#include "tamis/core/index.hpp"

namespace tamis {

/// Products of a table's columns with so many vectors at once, by sums of fused operations: what
/// the principal components of a large table take most time for. The bits are those of OpenBLAS'
/// kernels with AVX-512, which copy what they multiply; with so few vectors that takes half of
/// their time.
inline constexpr Index kFusedWidth = 20;

/// Whether the target in use has fused operations.
bool has_fused_products();

/// Numbers of a column-major table: those of one sum lie `along` apart, and sums `across`.
struct FusedOperand {
  const float* first = nullptr;
  Index across = 0;
  Index along = 0;
};

/// out[s * kFusedWidth + c] += sum_k z(s, k) v[k * kFusedWidth + c] for s < count, k < depth: each
/// sum starts from 0, and one term is added after the other with one rounding.
void add_fused_products(const FusedOperand& z, Index count, const float* v, Index depth,
                        float* out);

}  // namespace tamis
