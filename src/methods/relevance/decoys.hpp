#pragma once

#include <span>
#include <vector>

#include "linalg/ranked_table.hpp"
#include "methods/relevance/crossed_targets.hpp"
#include "methods/relevance/sphere_law.hpp"
#include "tamis/core/run.hpp"

namespace tamis {

/// What surprises (-ln p by the law) columns have that have nothing to do with their target, as far
/// as some decoys tell.
class DecoyTail {
 public:
  /// Decoys above the threshold, from which the tail is read.
  static constexpr Index kAbove = 100;

  /// @param surprises more than kAbove
  explicit DecoyTail(std::vector<double> surprises);

  Index count() const { return std::ssize(surprises_); }
  double threshold() const { return threshold_; }  ///< kAbove decoys are above it
  double scale() const { return scale_; }          ///< their mean excess; 1 by the law, or less

  /// The surprise of a column as decoys have it, if that is less: beyond the threshold an
  /// exponential tail with their scale; where that is too heavy, and below, their share.
  double corrected(double surprise) const;

 private:
  std::vector<double> surprises_;  ///< ascending
  double threshold_;
  double scale_;
};

/// Columns that one tail is good for: those whose most frequent value leaves out similar numbers of
/// rows, by powers of two. From the rarest on, levels are joined until they hold 100 columns; what
/// remains goes to the last.
/// @param rows_off of each of the columns: rows off its most frequent value, at most half of them
/// @return positions in `rows_off`
std::vector<std::vector<Index>> strata_of(std::span<const Index> rows_off);

/// Columns that share a tail, and which of them are drawn to make decoys of.
struct DecoyStratum {
  std::vector<Index> columns = {};
  std::vector<Index> drawn = {};
  Index permutations = 0;          ///< that each of those drawn meets
  std::uint64_t first_stream = 0;  ///< random stream of the first permutation
};

/// Judged columns and how rare what they tell is.
struct RareColumns {
  std::vector<Index> columns = {};
  std::vector<Index> rows_off = {};  ///< as strata_of wants it
  std::vector<bool> is_rare = {};    ///< one value has more than half of the rows
};

/// Strata with at least `count` decoys each, ten times that if a column drawn is rare.
std::vector<DecoyStratum> plan_decoys(const RareColumns& judged, Index count, std::uint64_t seed);

/// Corrects the law for columns with few different values: their directions are not just any.
class Decoys {
 public:
  /// Per stratum at least `count` decoys (ten times that if a column has one value in more than
  /// half of the rows): its columns against their targets with permuted rows. The trace tells the
  /// tails.
  Decoys(const RankedTable& z, const CrossedTargets& crossed, std::span<const SphereLaw> laws,
         Index count, const Run& run);

  /// Of decoys that someone else has drawn: their surprises, one list per stratum.
  Decoys(Index cols, const std::vector<DecoyStratum>& strata,
         std::vector<std::vector<double>> surprises, const Trace& trace);

  /// A ln p of a column by the law as its decoys have it.
  double corrected(Index column, double log_p) const;

 private:
  void add(const DecoyStratum& stratum, std::vector<double> surprises, const Trace& trace);

  std::vector<Index> stratum_of_;
  std::vector<DecoyTail> tails_;
};

}  // namespace tamis
