#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "constraints/constraint_set.hpp"
#include "constraints/pair_positions.hpp"
#include "core/random.hpp"
#include "tamis/core/run.hpp"

namespace tamis {

/// Of more constraints of a kind than this, a sample is measured by default.
inline constexpr Index kMaxMeasuredPairs = 2000;

/// How far must-links and cannot-links point in different directions.
///
/// The overlap of pair p on pair q is the length of the intersection of q with the projection of p
/// on the line through q; 0 if one of them has no length, and below 1e-12 |q| it counts as 0. A
/// set's coherence is the fraction of its (must-link, cannot-link) combinations whose two overlaps
/// are 0, and that of a constraint the fraction of the other kind on which its overlap is 0. All
/// are 1 without must-links or without cannot-links. Davidson, Wagstaff, Basu, "Measuring
/// constraint-set utility for partitional clustering algorithms", PKDD 2006.
///
/// Of more than `max_pairs` constraints of a kind, as many are drawn by chance and stand for all:
/// the set's coherence is that of the drawn ones, and a constraint's is measured on the drawn ones
/// of the other kind, or on the first few of them if there are more than 2 million constraints, so
/// that all of them take about 4 x 10^9 comparisons; never on fewer than 16.
///
/// Constraints that labels imply are never listed. O(rows x max_pairs x m) time; for a seed the
/// same for any number of threads.
class CoherenceMeter {
 public:
  /// @throws DataError if there are too many constraints to measure each on 16 others
  CoherenceMeter(const MatrixView& x, const ConstraintSet& constraints, Index max_pairs,
                 const Run& run);
  /// Of the pairs listed, each as often as it comes.
  CoherenceMeter(const MatrixView& x, std::span<const RowPair> must_link,
                 std::span<const RowPair> cannot_link, Index max_pairs, const Run& run);

  double of_set() const { return of_set_; }
  /// Of the set's coherence, if it was measured on a sample.
  std::optional<double> standard_error() const { return standard_error_; }

  /// Of the constraint between two rows that are in some constraint.
  double of_must_link(Index i, Index j) const { return fraction(on_cannot_link_, i, j); }
  double of_cannot_link(Index i, Index j) const { return fraction(on_must_link_, i, j); }
  bool keeps_must_link(Index i, Index j) const { return of_must_link(i, j) >= of_set_; }
  bool keeps_cannot_link(Index i, Index j) const { return of_cannot_link(i, j) >= of_set_; }

  /// Whether the constraints between rows left[a] and right[b], all of which are in some
  /// constraint, are kept if they are of this kind, at a * kRowsAtOnce + b.
  static constexpr Index kRowsAtOnce = PairPositions::kRowsAtOnce;
  using KeptPairs = std::array<bool, kRowsAtOnce * kRowsAtOnce>;
  void keep(LinkKind kind, std::span<const Index> left, std::span<const Index> right,
            KeptPairs& kept) const;

 private:
  /// Pairs by number.
  struct Source {
    Index size;
    std::function<RowPair(Index)> pair;
  };
  void measure(const MatrixView& x, const std::vector<Index>& rows, const Source& musts,
               const Source& cannots, Index max_pairs, const Run& run);
  static std::vector<RowPair> drawn(const Source& source, Index count, RandomStream& random);
  double fraction(const std::optional<PairPositions>& probes, Index i, Index j) const;

  std::vector<Index> place_of_row_;  // in the tables of positions
  std::optional<PairPositions> on_must_link_;
  std::optional<PairPositions> on_cannot_link_;
  double of_set_ = 1.0;
  std::optional<double> standard_error_;
};

/// Of the set, and of each constraint in the order given.
struct Coherence {
  double of_set = 1.0;
  std::vector<double> must_link = {};
  std::vector<double> cannot_link = {};
  std::optional<double> standard_error = std::nullopt;  ///< if the set's is that of a sample
};

Coherence coherence(const MatrixView& x, std::span<const RowPair> must_link,
                    std::span<const RowPair> cannot_link, Index max_pairs = kMaxMeasuredPairs,
                    const Run& run = {});

}  // namespace tamis
