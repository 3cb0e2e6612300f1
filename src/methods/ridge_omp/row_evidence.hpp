#pragma once

#include <memory>
#include <vector>

#include "linalg/ranked_table.hpp"
#include "linalg/row_vectors.hpp"
#include "methods/ridge_omp/matching_target.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

/// What is known of rows, labels, values or pairs, as what the target is made of.
class MatchingTarget::Evidence {
 public:
  virtual ~Evidence() = default;
  /// What the knowledge is spread by: ridge_coefficients. Empty if it says nothing.
  virtual RowVectors coefficients(const RankedTable& z, const TargetOptions& options) const = 0;
  /// Whether what is spread are classes, of which rows have shares.
  virtual bool has_classes() const = 0;
  virtual ColumnEvidence of_columns(const RankedTable& z) const = 0;
  virtual double reliability(const RankedTable& z, const ColumnEvidence& columns,
                             const TargetOptions& options) const = 0;
};

/// The same where all rows are at hand.
class MatchingTarget::RowEvidence : public Evidence {
 public:
  /// The knowledge spread to all rows, centred, with mean squared length 1; empty if it says
  /// nothing.
  virtual RowVectors spread(const RankedTable& z, const TargetOptions& options) const = 0;
};

/// Of labels of two classes, or else of values, or else of pairs; none if there are none.
/// @throws DataError if pairs contradict each other or the labels
std::unique_ptr<MatchingTarget::RowEvidence> evidence_of(const Knowledge& known, Index rows,
                                                         Diagnostics& diagnostics);

std::unique_ptr<MatchingTarget::RowEvidence> evidence_of_labels(const Knowledge& known);

std::unique_ptr<MatchingTarget::RowEvidence> evidence_of_values(const Knowledge& known);

/// Of given pairs, and of the must-links in a class if just one is labeled; none if there are none.
std::unique_ptr<MatchingTarget::RowEvidence> evidence_of_pairs(const Knowledge& known, Index rows,
                                                               Diagnostics& diagnostics);

/// 1 - 1/F of so many labels of so many classes, within 0 .. 1.
double reliability_of_labels(const RankedTable& z, const ColumnEvidence& columns, double labels,
                             double classes);

/// sum_j G_j values_j.
double spread_sum(const RankedTable& z, const std::vector<double>& values);

/// Means of squared ranks below this are rounding.
inline constexpr double kNoDifference = 1e-20;

/// Scales to mean squared length 1; empties what is 0 or rounding.
void normalize(RowVectors& target);

}  // namespace tamis
