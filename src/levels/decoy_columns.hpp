#pragma once

#include <cstdint>
#include <vector>

#include "levels/code_facts.hpp"
#include "levels/level_tree.hpp"
#include "linalg/row_vectors.hpp"

namespace tamis {

/// A column of which decoys are made, as the codes it has, ascending, and where in the sorted
/// column each ends.
struct DecoyColumn {
  Index column = 0;
  Index target = 0;  ///< which target it meets
  std::vector<std::int16_t> codes = {};
  std::vector<Index> ends = {};
};
DecoyColumn decoy_column(Index column, Index target, const std::vector<CodeCount>& counts);

/// Columns that meet their targets with their rows in the order of permutations, which they share:
/// RowPermutation(rows, seed, first_stream), and so on.
struct DecoyGroup {
  std::vector<DecoyColumn> columns = {};  ///< by target
  Index permutations = 0;
  std::uint64_t first_stream = 0;

  Index decoys() const { return permutations * std::ssize(columns); }
};

/// Sums over rows of the products of decoys with their targets, in whole units.
class DecoySums {
 public:
  /// @param groups must outlive it
  /// @param widths of the targets
  DecoySums(const std::vector<DecoyGroup>& groups, std::vector<Index> widths, Index rows,
            std::uint64_t seed);

  /// @param targets of rows first_row .. first_row + count - 1 in whole units
  void update(const std::vector<RowVectors>& targets, Index count, Index first_row);

  /// Of decoy k (column k % columns, permutation k / columns) of each group, its target's width of
  /// sums in room for the widest.
  std::vector<std::vector<Int128>> sums = {};
  Index widest() const { return widest_; }

 private:
  /// Some columns of a group that meet one target in the order of one permutation.
  struct Batch {
    Index group;
    Index permutation;
    Index first;
    Index count;
  };
  void add_batch(const Batch& batch, const std::vector<RowVectors>& targets,
                 const std::vector<std::pair<Index, Index>>& places);

  const std::vector<DecoyGroup>& groups_;
  std::vector<Index> widths_;
  Index widest_ = 0;
  Index rows_;
  std::uint64_t seed_;
  std::vector<Batch> batches_;
};

}  // namespace tamis
