#pragma once

#include <span>
#include <vector>

#include "clustering/informativeness.hpp"
#include "constraints/closure_tree.hpp"
#include "constraints/constraint_set.hpp"
#include "tamis/core/problem.hpp"

namespace tamis {

/// The cluster of a row that was not placed yet.
inline constexpr Index kNoCluster = -1;

/// What labels and pairs say about rows once it is closed transitively: rows in groups that belong
/// together, and groups that are to be kept apart, with the weights of both in a tree. Pairs are
/// never listed.
class Links {
 public:
  static constexpr Index kNoGroup = -1;

  /// @throws DataError naming two rows if labels and pairs contradict
  Links(const Knowledge& known, Index n_rows);

  /// The groups 0 .. n_classes() - 1 are the labeled classes, in the order of their labels, each
  /// with the rows that must-links add to it; all of them are apart. Then come the others, in the
  /// order of their first rows.
  Index n_groups() const { return std::ssize(groups_); }
  Index n_classes() const { return n_classes_; }
  bool is_class(Index group) const { return group < n_classes_; }

  /// kNoGroup for a row of which nothing is known.
  Index group_of(Index row) const { return group_of_[row]; }
  bool has_class(Index row) const { return group_of_[row] != kNoGroup && is_class(group_of_[row]); }
  std::span<const std::vector<Index>> groups() const { return groups_; }

  /// Calls visit(other) for each group that is to be kept apart from this one.
  template <class Visit>
  void for_each_apart(Index group, const Visit& visit) const {
    if (is_class(group))
      for (Index other = 0; other < n_classes_; ++other)
        if (other != group) visit(other);
    for (const Index other : apart_[group]) visit(other);
  }
  /// The same without the classes that are apart because they are classes.
  std::span<const Index> apart_by_pairs(Index group) const { return apart_[group]; }

  /// What the links weigh.
  const ClosureTree& tree() const { return tree_; }

 private:
  Links(const ConstraintSet& checked, const PairConstraints& pairs, Index n_rows);
  void part(std::span<const Index> group_of_root);

  Index n_classes_ = 0;
  ClosureTree tree_;
  std::vector<Index> group_of_;
  std::vector<std::vector<Index>> groups_;
  std::vector<std::vector<Index>> apart_;  // ascending, each once
};

/// How many must-links and cannot-links of the closure a clustering breaks.
Violations violations(const Links& links, std::span<const Index> clusters);

/// At most `limit` must-links and `limit` cannot-links of the closure that clusters break, ordered
/// by rows. Takes no longer than there are rows, pairs of groups and broken constraints.
PairConstraints broken_pairs(const Links& links, std::span<const Index> clusters, Index limit);

}  // namespace tamis
