#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "linalg/ranked_table.hpp"
#include "linalg/row_vectors.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

/// What chosen features should explain together, and what each column is trusted with: the few
/// labels (or else pairs) of a problem spread to all rows by kernel_ridge, beside the leading
/// principal components of the ranked columns, each part with mean squared row length 1 and a share
/// that grows with the reliability of the labels. docs/methods/ridge_omp.md has the formulas.
class MatchingTarget {
 public:
  /// @throws DataError if pairs contradict each other or the labels
  MatchingTarget(const Knowledge& known, const RankedTable& z, const TargetOptions& options,
                 std::uint64_t seed, Diagnostics& diagnostics);
  ~MatchingTarget();
  MatchingTarget(const MatchingTarget&) = delete;
  MatchingTarget& operator=(const MatchingTarget&) = delete;

  const RowVectors& values() const { return values_; }
  /// Whether anything known has a part in it: labels and pairs of rows that are all alike have not.
  bool is_supervised() const { return is_supervised_; }
  /// The given nugget, or else 1, and 0 without supervision.
  double nugget(std::optional<double> wanted) const {
    return wanted.value_or(is_supervised_ ? 1.0 : 0.0);
  }
  /// How much of the labels (pairs) is not chance, 0 .. 1; 0 without supervision.
  double reliability() const { return reliability_; }
  /// The weight of each column of a table with the rows of this problem, permuted ones included.
  std::vector<double> weights(const RankedTable& columns) const;

  class Evidence;  ///< what is known of rows

 private:
  void combine(RowVectors supervised, RowVectors components);

  std::unique_ptr<Evidence> evidence_;  ///< none without supervision
  RowVectors values_;
  bool is_supervised_ = false;
  double reliability_ = 0.0;
  double mean_merit_ = 0.0;
};

}  // namespace tamis
