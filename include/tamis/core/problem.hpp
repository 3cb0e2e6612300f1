#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tamis/core/matrix.hpp"
#include "tamis/core/progress.hpp"
#include "tamis/core/trace.hpp"

namespace tamis {

/// The label of a row whose class is not known.
inline constexpr Index kUnlabeled = -1;

/// Two different rows of which something is known.
struct RowPair {
  Index first = 0;
  Index second = 0;
  double weight = 1.0;
  friend bool operator==(const RowPair&, const RowPair&) = default;
};

/// What a user knows about pairs of rows.
struct PairConstraints {
  std::vector<RowPair> must_link = {};
  std::vector<RowPair> cannot_link = {};
};

/// What goes into a method: a table, a few labels, a few pairs.
struct Problem {
  MatrixView matrix;
  std::vector<std::string> feature_names = {};  ///< one per column, or empty: columns have numbers
  std::vector<std::string> sample_ids = {};     ///< one per row, or empty: rows have numbers
  std::vector<Index> labels = {};               ///< one per row, or empty: no row is labeled
  std::vector<std::string> class_names = {};    ///< of label 0, 1, ...; may be empty
  std::optional<PairConstraints> pairs = std::nullopt;  ///< in addition to those of the labels
  std::uint64_t seed = 0;                               ///< of everything that chance decides
  Progress progress = {};
  Trace trace = {};
  /// Called with a warning that should be known before long work begins; it comes again in the
  /// diagnostics.
  std::function<void(const std::string&)> warn_early = nullptr;

  Index rows() const { return matrix.rows(); }
  Index cols() const { return matrix.cols(); }
  Index label(Index row) const { return labels.empty() ? kUnlabeled : labels[row]; }
};

/// Rows that have a label, ascending; and those that have none.
std::vector<Index> labeled_rows(const Problem& problem);
std::vector<Index> unlabeled_rows(const Problem& problem);

/// The labeled rows of each class, ascending; classes without a row are left out.
std::vector<std::vector<Index>> rows_by_class(const Problem& problem);

/// How messages call a row or a column: its name, or its 0-based number.
std::string row_name(const Problem& problem, Index row);
std::string column_name(const Problem& problem, Index column);

/// @throws DataError if the table is empty, holds a value that is not finite, or names, ids, labels
/// or pairs do not fit it; the message names the first offending place. Every entry point of the
/// program and of the bindings calls it once; methods rely on it.
void check_problem(const Problem& problem);

}  // namespace tamis
