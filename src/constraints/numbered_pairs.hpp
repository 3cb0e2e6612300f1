#pragma once

#include <span>
#include <vector>

#include "constraints/constraint_set.hpp"

namespace tamis {

/// The pairs of one kind by their number in the ascending list of them, without the list: O(rows +
/// explicit pairs) memory, and O(log^2 rows) time for each. The constraints must outlive it.
class NumberedPairs {
 public:
  NumberedPairs(const ConstraintSet& constraints, LinkKind kind);

  Index size() const { return first_number_.back(); }
  RowPair operator[](Index number) const;

 private:
  /// Of the labeled row `row`: the partners by label that come after it.
  Index count_partners(Index row) const;
  /// Those before row `end`.
  Index count_partners_before(Index row, Index end) const;
  Index partner(Index row, Index place) const;
  std::span<const RowPair> given_with(Index row) const;

  const ConstraintSet& constraints_;
  LinkKind kind_;
  std::vector<Index> labeled_;           // rows, ascending
  std::vector<Index> class_of_;          // of each row; -1 without a label
  std::vector<Index> place_in_class_;    // of each labeled row
  std::vector<Index> place_in_labeled_;  // likewise
  std::vector<RowPair> given_;           // those that labels do not imply, ascending
  std::vector<Index> first_given_;       // of each row; one more
  std::vector<Index> first_number_;      // likewise
};

}  // namespace tamis
