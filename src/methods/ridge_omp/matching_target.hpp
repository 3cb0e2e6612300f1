#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "linalg/ranked_table.hpp"
#include "linalg/row_vectors.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/ranking.hpp"
#include "tamis/methods/ridge_omp.hpp"

namespace tamis {

/// What labels, values or pairs say of each column.
struct ColumnEvidence {
  std::vector<double> apart = {};     ///< how far it puts rows that differ
  std::vector<double> together = {};  ///< how far it puts rows that are alike
  std::vector<double> merit = {};     ///< larger for columns that agree with the supervision
};

/// The weight of each column that evidence of such a reliability trusts it with.
std::vector<double> trusted_weights(const RankedTable& z, const ColumnEvidence& columns,
                                    double reliability);

/// The share of a target that the supervision has, given its reliability.
inline double supervised_share(double reliability) { return 0.5 * (1.0 + reliability); }

/// What chosen features should explain together, and what each column is trusted with: the few
/// labels (or else values, or else pairs) of a problem spread to all rows by kernel_ridge, beside
/// the leading principal components of the ranked columns, each part with mean squared row length 1
/// and a share that grows with the reliability of what is known. docs/methods/ridge_omp.md has the
/// formulas.
class MatchingTarget {
 public:
  /// @throws DataError if pairs contradict each other or the labels
  MatchingTarget(const Knowledge& known, const RankedTable& z, const TargetOptions& options,
                 std::uint64_t seed, Diagnostics& diagnostics);
  ~MatchingTarget();
  MatchingTarget(const MatchingTarget&) = delete;
  MatchingTarget& operator=(const MatchingTarget&) = delete;

  const RowVectors& values() const { return made_.values; }
  /// Whether anything known has a part in it: what is known of rows that are all alike has not.
  bool is_supervised() const { return made_.is_supervised; }
  /// The given nugget, or else 1, and 0 without supervision.
  double nugget(std::optional<double> wanted) const {
    return wanted.value_or(is_supervised() ? 1.0 : 0.0);
  }
  /// How much of the labels (values, pairs) is not chance, 0 .. 1; 0 without supervision.
  double reliability() const { return made_.reliability; }
  /// The weight of each column.
  std::vector<double> weights() const;
  /// The target that is made of all that is known and of the other columns; empty if there is none.
  RowVectors without(std::span<const Index> columns) const;

  class Evidence;     ///< what is known of rows
  class RowEvidence;  ///< the same where all rows are at hand

 private:
  struct Made {
    RowVectors values = {};
    bool is_supervised = false;
    double reliability = 0.0;
  };
  Made made_of(const RankedTable& z) const;

  RankedTable z_;
  TargetOptions options_;
  std::uint64_t seed_;
  std::unique_ptr<RowEvidence> evidence_;  ///< none without supervision
  ColumnEvidence columns_;
  Made made_;
};

}  // namespace tamis
