#include "clustering/kmeans/diagonal_metric.hpp"

#include <algorithm>
#include <cmath>

#include "core/simd.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis {
namespace {

double distance_kernel(const double* point, const double* center, const double* weights,
                       Index cols) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    return sum_in_lanes(cols, [=](Index r) {
      const double difference = point[r] - center[r];
      return weights[r] * (difference * difference);
    });
  });
}

double sum_kernel(const double* values, const double* weights, Index cols) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    return sum_in_lanes(cols, [=](Index r) { return weights[r] * values[r]; });
  });
}

}  // namespace

double weighted_distance(const double* point, const double* center, const double* weights,
                         Index cols) {
  return distance_kernel(point, center, weights, cols);
}

double weighted_sum(const double* values, const double* weights, Index cols) {
  return sum_kernel(values, weights, cols);
}

std::vector<double> column_ranges(const MatrixView& x) {
  constexpr Index kColumns = 64;
  constexpr Index kRows = 256;
  const std::vector<Index> rows = all_indices(x.rows());
  std::vector<double> ranges(x.cols(), 0.0);
  parallel_for(x.cols(), kColumns, [&](Index begin, Index end) {
    const Index width = end - begin;
    std::vector<double> block(kRows * width);
    std::vector<double> least(width, HUGE_VAL);
    std::vector<double> greatest(width, -HUGE_VAL);
    for (Index from = 0; from < x.rows(); from += kRows) {
      const Index count = std::min(kRows, x.rows() - from);
      copy_columns(x, std::span(rows).subspan(from, count), begin, width, block.data());
      for (Index e = 0; e < count * width; ++e) {
        least[e % width] = std::min(least[e % width], block[e]);
        greatest[e % width] = std::max(greatest[e % width], block[e]);
      }
    }
    for (Index r = 0; r < width; ++r) ranges[begin + r] = greatest[r] - least[r];
  });
  return ranges;
}

}  // namespace tamis
