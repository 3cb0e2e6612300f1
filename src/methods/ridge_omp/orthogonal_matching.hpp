#pragma once

#include <optional>
#include <span>
#include <vector>

#include "linalg/ranked_table.hpp"
#include "linalg/row_vectors.hpp"
#include "tamis/core/progress.hpp"
#include "tamis/core/trace.hpp"

namespace tamis {

/// Columns of a table with one weight each.
struct WeightedColumns {
  const RankedTable* table = nullptr;
  std::vector<Index> columns = {};
  std::vector<double> weights = {};
};

/// Inner products of columns, of length 1.
class ColumnProducts {
 public:
  virtual ~ColumnProducts() = default;
  /// out[s * some.size() + c]: that of columns[s] and some[c].
  virtual Buffer<double> of(std::span<const Index> columns, std::span<const Index> some) const = 0;
};

/// Columns of length 1, of which nothing need be known but products.
struct MatchingColumns {
  std::vector<Index> columns = {};
  std::vector<double> weights = {};
  std::vector<double> lengths = {};  ///< squared: 1, or 0 for a constant column
  RowVectors targets = {};           ///< the product of each with the target
  const ColumnProducts* products = nullptr;
  double tie_tolerance = 0.0;  ///< gains that differ by no more, relative to the best, tie
};

/// The chosen column that another repeats most.
struct NearestChoice {
  std::optional<Index> column = std::nullopt;
  double correlation = 0.0;  ///< absolute value; of ranks
};

/// What a greedy choice gave.
struct Matching {
  std::vector<Index> chosen = {};        ///< columns, first choice first
  std::vector<double> gains = {};        ///< of each when it was chosen
  std::vector<double> first_gains = {};  ///< of every candidate before any choice
  /// Of every candidate that might be chosen, among the choices before it.
  std::vector<NearestChoice> nearest = {};
};

/// Gains that differ by no more than this share are equal but for the rounding of the table and of
/// sums: the order of the rows must not decide.
double tie_tolerance(const RankedTable& z);

/// How a greedy choice is made.
struct MatchingRules {
  Index steps = 0;
  double nugget = 0.0;  ///< variance of the noise that chosen columns are read with
  /// The candidates (their positions, ascending) that may be chosen; unset: all.
  std::optional<std::vector<Index>> allowed = std::nullopt;
};

/// Chooses up to `steps` columns one after the other, each time the one with the largest gain
///
///   w_j |<z_j, target>_res|^2 / (|z_j|^2_res + nugget),
///
/// z_j of length 1, the target and the columns less what the chosen columns, read with noise, tell
/// of them (ties, to tie_tolerance: the earlier candidate). Columns of which at most 1e-6 (squared)
/// is left are out of the race, and it ends when the best gain is rounding (1e-12 of the first):
/// the choices do not depend on `steps`.
///
/// Deterministic. Inner products with several promising columns are taken in one pass over the
/// table, so there are at most as many passes as steps.
Matching match_orthogonally(const WeightedColumns& candidates, const RowVectors& target,
                            const MatchingRules& rules, const Progress& progress = {});

/// The same of columns of which nothing but products is known.
Matching match_orthogonally(const MatchingColumns& candidates, const MatchingRules& rules,
                            const Progress& progress = {});

/// Records each choice.
void record_choices(const Trace& trace, const Matching& matching);

}  // namespace tamis
