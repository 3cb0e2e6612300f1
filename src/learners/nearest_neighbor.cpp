#include "learners/nearest_neighbor.hpp"

#include <algorithm>
#include <limits>

#include "clustering/nearest_center.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// Training rows that are held in double at a time.
constexpr Index kTrainingBlock = 1024;

}  // namespace

std::vector<Index> nearest_rows(const MatrixView& x, std::span<const Index> train,
                                std::span<const Index> test) {
  if (train.empty()) throw InvalidArgument("nearest neighbours need at least one training row");
  std::vector<Index> nearest(test.size(), train.front());
  std::vector<double> distances(test.size(), std::numeric_limits<double>::infinity());
  std::vector<double> block;
  for (Index begin = 0; begin < std::ssize(train); begin += kTrainingBlock) {
    const auto rows = train.subspan(begin, std::min(kTrainingBlock, std::ssize(train) - begin));
    block.resize(rows.size() * x.cols());
    copy_columns(x, rows, 0, x.cols(), block.data());
    const NearestCenters found = nearest_centers(x, test, block);
    for (Index s = 0; s < std::ssize(test); ++s)
      if (found.squared_distances[s] < distances[s]) {
        distances[s] = found.squared_distances[s];
        nearest[s] = rows[found.centers[s]];
      }
  }
  return nearest;
}

}  // namespace tamis
