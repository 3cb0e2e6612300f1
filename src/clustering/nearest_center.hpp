#pragma once

#include <span>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

/// Which centre is nearest to each row, and its squared distance.
struct NearestCenters {
  std::vector<Index> centers = {};
  std::vector<double> squared_distances = {};
};

/// Rows whose nearest centres are looked for, of one set of centres after the other: few rows are
/// prepared once.
///
/// Exact: float32 matrix products only narrow the choice down to the centres that rounding cannot
/// tell apart, which are then measured in double. O(rows x centres x columns); memory for the
/// centres and a block of rows. Deterministic for any number of threads.
class CenterSearch {
 public:
  /// The origin lies amid rows and centres: far from it products lose the digits that tell centres
  /// apart.
  CenterSearch(const MatrixView& x, std::span<const Index> rows, std::span<const double> origin);

  /// The nearest of the centres (row-major, as wide as the table) of each row, ties to the lower
  /// centre.
  NearestCenters nearest(std::span<const double> centers) const;

 private:
  /// kKeyRows rows as keys see them.
  struct RowGroup {
    Buffer<float> values;
    std::vector<float> norms;
  };
  /// What they are on the way there.
  struct Loading {
    Buffer<double> doubles;  // of sparse rows
    Buffer<float> rounded;
  };
  struct Centers;

  void load(Index begin, Loading& loading, RowGroup& group) const;
  Centers prepared(std::span<const double> centers) const;
  void search(const RowGroup& group, const Centers& centers, Index begin, Buffer<float>& keys,
              NearestCenters& out) const;

  const MatrixView& x_;
  std::span<const Index> rows_;
  Index cols_;
  std::vector<double> origin_;
  double scale_;
  std::vector<RowGroup> only_groups_ = {};  // of few rows
};

/// The nearest of the centres of each given row, looked for once.
NearestCenters nearest_centers(const MatrixView& x, std::span<const Index> rows,
                               std::span<const double> centers);

}  // namespace tamis
