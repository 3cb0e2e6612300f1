#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "levels/code_facts.hpp"
#include "levels/level_tree.hpp"
#include "linalg/row_vectors.hpp"

namespace tamis {

/// A column of which decoys are made, as the codes it has, ascending, and where in the sorted
/// column each ends. A decoy has the code of place (multiplier p) mod n in a row that a permutation
/// sends to place p: columns with the same codes have different decoys of one permutation.
struct DecoyColumn {
  Index column = 0;
  Index target = 0;      ///< which target it meets
  Index multiplier = 1;  ///< has no divisor with the number of rows in common
  std::vector<std::int16_t> codes = {};
  std::vector<Index> ends = {};
};
DecoyColumn decoy_column(Index column, Index target, Index multiplier,
                         const std::vector<CodeCount>& counts);

/// The codes of a column by their places in it once it is sorted.
class CodesByPlace {
 public:
  /// @param column must outlive it
  CodesByPlace(const DecoyColumn& column, Index rows);

  double at(Index place) const {
    Index code = first_[place >> shift_];
    const Index* const ends = column_->ends.data();
    code += ends[code] <= place ? 1 : 0;  // as often as not: no branch could foresee it
    while (ends[code] <= place) ++code;
    return column_->codes[code];
  }

 private:
  const DecoyColumn* column_;
  int shift_ = 0;
  std::vector<std::uint16_t> first_;  ///< code at the beginning of each of some thousand parts
};

/// A random number below `rows` that has no divisor with it in common.
Index draw_multiplier(RandomStream& random, Index rows);

/// Columns that meet their targets with their rows in random orders.
struct DecoyGroup {
  std::vector<DecoyColumn> columns = {};  ///< by target
  Index permutations = 0;                 ///< decoys of each column
  std::uint64_t first_stream = 0;         ///< random streams of the orders are from here on

  Index decoys() const { return permutations * std::ssize(columns); }
};

/// Rows whose products with columns of targets are added at once, exactly in double.
inline constexpr Index kDecoyRows = 4096;

/// Sums over rows of the products of decoys with their targets, in whole units.
class DecoySums {
 public:
  /// @param groups must outlive it
  /// @param widths of the targets
  DecoySums(const std::vector<DecoyGroup>& groups, std::vector<Index> widths, Index rows,
            std::uint64_t seed);

  /// @param targets of rows first_row .. first_row + count - 1 in whole units; at most kDecoyRows,
  /// and better not many fewer: the codes of columns are looked up for each update anew
  void update(const std::vector<RowVectors>& targets, Index count, Index first_row);

  /// Of decoy k (column k % columns, permutation k / columns) of each group, its target's width of
  /// sums in room for the widest.
  std::vector<std::vector<Int128>> sums = {};

 private:
  /// Some columns of a group that meet one target by one permutation.
  struct Batch {
    Index group;
    Index number;  ///< of their decoys in the group
    Index first;
    Index count;
    std::uint64_t stream;
  };
  void add_batches(Index group);
  void add_batch(const Batch& batch, const RowVectors& target, Index count, Index first_row);

  const std::vector<DecoyGroup>& groups_;
  std::vector<Index> widths_;
  Index widest_ = 0;
  Index rows_;
  std::uint64_t seed_;
  std::vector<std::vector<CodesByPlace>> by_place_;  ///< of the columns of each group
  std::vector<Batch> batches_;
};

}  // namespace tamis
