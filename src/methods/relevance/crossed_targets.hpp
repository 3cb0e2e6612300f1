#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/ranked_table.hpp"
#include "linalg/row_vectors.hpp"
#include "methods/ridge_omp/matching_target.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// The fold of a column that is not judged.
inline constexpr Index kNoFold = -1;

/// Targets that columns are judged by, each made without the columns that it judges: then those
/// that have nothing to do with it lie in a random direction.
struct CrossedTargets {
  Null null = Null::table;
  std::vector<Index> rows = {};     ///< that are judged, ascending
  std::vector<Index> fold_of = {};  ///< of each column of the table, or kNoFold
  /// One per fold, over all rows of the table: centred over those that are judged, 0 on the others.
  std::vector<RowVectors> targets = {};
  std::vector<double> lengths = {};  ///< of each column about its mean over the judged rows

  /// Of the directions that a centred column can have.
  Index dimension() const { return std::ssize(rows) - 1; }
  /// The judged columns of each fold, ascending.
  std::vector<std::vector<Index>> columns_by_fold() const;
  /// A column about its mean over the judged rows, with length 1; 0 on the others, and if
  /// it is constant there.
  std::vector<double> unit_column(const RankedTable& z, Index column) const;
};

/// Deals the given columns of a table at random into `n_folds` folds of equal size, but for one;
/// columns of one group (Problem::feature_groups) go together, as each is told by the others.
std::vector<Index> deal_folds(std::span<const Index> columns, Index table_columns,
                              std::span<const Index> groups, Index n_folds, std::uint64_t seed);

/// H0: a column has nothing to do with what is known, nor with any column of the other folds. Per
/// fold the target that the other columns make, each of its columns cut at three standard
/// deviations, with the deviation it had.
CrossedTargets targets_of_table(const MatchingTarget& target, const RankedTable& z,
                                std::vector<Index> fold_of);

/// Subtracts the mean and returns the length of what is left, 0 if that is but rounding.
double centre(std::span<double> values);

/// (one-hot - share) / sqrt(share) of the classes, or the standardised values, cut at three
/// standard deviations; 0 in those of the rows of which nothing is known.
RowVectors target_of_labels(const Knowledge& known, Index rows);

/// H0: a column has nothing to do with the classes, or values. One target over the known rows:
/// target_of_labels.
CrossedTargets targets_of_labels(const Knowledge& known, const RankedTable& z,
                                 std::span<const Index> columns);

}  // namespace tamis
