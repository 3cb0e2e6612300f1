#include "levels/fixed_weights.hpp"

#include <cmath>

#include "linalg/gemm.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

/// Rows at once: the weights are made ready for each anew.
constexpr Index kGrain = 256;
/// Sums of whole numbers below 2^53 are exact; half of that leaves room for rounding.
constexpr int kExactBits = 52;

}  // namespace

FixedWeights fixed_weights(const RowVectors& coefficients, std::span<const CodeFacts> facts) {
  const Index width = coefficients.width;
  FixedWeights fixed{.weights = coefficients,
                     .units = std::vector(width, 1.0),
                     .offsets = std::vector(width, 0.0)};
  for (Index c = 0; c < width; ++c) {
    double total = 0.0;
    for (Index r = 0; r < coefficients.rows(); ++r) {
      double& weight = fixed.weights.row(r)[c];
      weight = facts[r].deviation > 0.0 ? weight / facts[r].deviation : 0.0;
      total += std::abs(weight) * kLargestCode;
    }
    if (total == 0.0) continue;
    const int exponent = kExactBits - 1 - std::ilogb(total);
    fixed.units[c] = std::ldexp(1.0, -exponent);
    for (Index r = 0; r < coefficients.rows(); ++r) {
      double& weight = fixed.weights.row(r)[c];
      weight = std::nearbyint(std::ldexp(weight, exponent));
      fixed.offsets[c] += weight * facts[r].mean;
    }
    fixed.offsets[c] *= fixed.units[c];
  }
  return fixed;
}

RowVectors products(const FixedWeights& weights, Index rows, const Buffer<double>& codes) {
  const Index width = weights.width();
  RowVectors out{width, Buffer<double>(rows * width, 0.0)};
  if (width == 0) return out;
  parallel_for(rows, kGrain, [&](Index begin, Index end) {
    add_transposed_product(&codes[begin], kCodeRows, weights.weights.values.data(), end - begin,
                           weights.weights.rows(), width, out.row(begin));
    for (Index i = begin; i < end; ++i)
      for (Index c = 0; c < width; ++c)
        out.row(i)[c] = out.row(i)[c] * weights.units[c] - weights.offsets[c];
  });
  return out;
}

}  // namespace tamis
