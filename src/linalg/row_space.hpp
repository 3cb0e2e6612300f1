#pragma once

#include "linalg/centred_table.hpp"
#include "tamis/core/progress.hpp"

namespace tamis {

/// The space that the rows of a centred table span: its singular value decomposition
/// X_c = sum_a s_a u_a v_a', exact in rows or columns, whichever are fewer. Singular values count
/// that exceed 1e-10 of the largest. Those are below the square root of the rounding of X_c X_c',
/// so directions that it does not tell apart from 0 are multiplied with the table again, and again,
/// until those that are left are rounding.
class RowSpace {
 public:
  /// A side up to which this is feasible: its products take 3.2 GB.
  static constexpr Index kLargestSide = 20000;

  /// The table must outlive it. @throws DataError if both of its sides exceed kLargestSide
  explicit RowSpace(const CentredTable& table, const Progress& progress = {});

  Index rank() const { return std::ssize(squares_); }
  /// The squared singular values, largest first.
  std::span<const double> squares() const { return squares_; }

  /// Where rows are in the space: rows x rank, X_c v_a.
  RowVectors coordinates(std::span<const Index> rows) const;

  /// Directions of the space as directions of the table: sum_a b_ac v_a for each of `width` columns
  /// c of b (rank x width), one per row: width x cols.
  RowVectors directions(const RowVectors& b) const;

 private:
  void find(const Progress& progress);
  /// Keeps those of the pairs that are told apart; the vectors of the others remain.
  Buffer<double> keep_distinct(const std::vector<double>& squares, const Buffer<double>& vectors);

  const CentredTable& table_;
  Side side_;
  std::vector<double> squares_;
  Buffer<double> vectors_;  // rank x side: u_a (rows) or v_a (columns)
};

}  // namespace tamis
