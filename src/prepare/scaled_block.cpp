#include "prepare/scaled_block.hpp"

#include "core/simd.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {
namespace {

constexpr Index kRows = ScaledBlock::kRows;

void add_squares(const double* left, Index left_rows, const double* right, double* distances) {
  for_this_cpu([=](auto) TAMIS_KERNEL {
    for (Index a = 0; a < left_rows; ++a)
      for (Index b = 0; b < kRows; ++b) {
        const double difference = left[a] - right[b];
        distances[a * kRows + b] += difference * difference;
      }
  });
}

}  // namespace

void ScaledBlock::load(const MatrixView& x, std::span<const Index> rows,
                       std::span<const Index> columns, const Scaling& scaling) {
  const Index width = std::ssize(columns);
  const Buffer<double> by_rows = scaled_columns(x, rows, columns, scaling);
  for (Index c = 0; c < width; ++c)
    for (Index a = 0; a < kRows; ++a)
      values_[c * kRows + a] = a < std::ssize(rows) ? by_rows[a * width + c] : 0.0;
}

void add_squared_differences(const double* left, Index left_rows, const double* right,
                             BlockPairs& distances) {
  add_squares(left, left_rows, right, distances.data());
}

}  // namespace tamis
