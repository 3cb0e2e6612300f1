#pragma once

#include <span>

#include "tamis/core/index.hpp"

namespace tamis {

/// Products of a table's columns with so many vectors at once, by sums of fused operations: what
/// the principal components of a large table take most time for. The bits are those of OpenBLAS'
/// kernels with AVX-512, which copy what they multiply; with so few vectors that takes half of
/// their time. v has one row of kFusedWidth numbers for each term of a sum.
inline constexpr Index kFusedWidth = 20;

/// Whether the target in use has fused operations.
bool has_fused_products();

/// Numbers of a column-major table, from the first one on: columns lie `apart`.
struct FusedColumns {
  const float* first = nullptr;
  Index apart = 0;
};

/// Of fused columns there are multiples of so many, and their sums have multiples of so many terms.
inline constexpr Index kFusedColumns = 8;
inline constexpr Index kFusedTerms = 4;

/// out[s * kFusedWidth + c] += sum_k z(k, s) v[k * kFusedWidth + c] for the columns s < count: one
/// sum for each of the given numbers of rows, one run after the other. Each starts from 0, and one
/// term is added after the other with one rounding.
void add_fused_columns(const FusedColumns& z, Index count, const float* v,
                       std::span<const Index> depths, float* out);

/// Sums of rows with kFusedWidth vectors: those of a vector side by side, vectors `apart`.
struct FusedRowSums {
  float* first = nullptr;
  Index apart = 0;
};

/// The sums of the rows s < count with each vector c go on by one term z(s, k) v[k * kFusedWidth +
/// c] after the other, each added with one rounding, for the columns k < depth.
void continue_fused_rows(const FusedColumns& z, Index count, const float* v, Index depth,
                         const FusedRowSums& out);

}  // namespace tamis
