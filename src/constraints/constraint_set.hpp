#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tamis/core/knowledge.hpp"

namespace tamis {

/// More pairs than this are never listed: 100 million take 2.4 GB.
inline constexpr Index kMaxListedPairs = 100'000'000;

/// @throws DataError if `count` pairs of the kind ("must-link") are too many to list
void check_pair_count(std::string_view kind, Index count);

enum class LinkKind { must_link, cannot_link };

/// The must-link and cannot-link pairs of what is known, each unordered pair once.
/// The l(l-1)/2 pairs that labels imply are kept as classes, not as a list, so that a fully labeled
/// table costs O(n).
class ConstraintSet {
 public:
  /// The union of what labels imply and what pairs say. Pairs are taken as given, not closed
  /// (closure.hpp does that), but checked: @throws DataError naming two rows if a cannot-link joins
  /// rows that must-links, labels and transitivity put together, or if pairs join two classes.
  ConstraintSet(const Knowledge& known, Index rows);

  /// What the pairs alone say, each once: for a part of a set that was checked as a whole.
  ConstraintSet(Index rows, const PairConstraints& pairs);

  Index rows() const { return std::ssize(labels_); }
  /// Rows that labels put together. Rows of one class are must-linked, of two cannot-linked.
  std::span<const std::vector<Index>> classes() const { return classes_; }
  /// Pairs that labels do not imply already: first < second, ascending, no repetition, each with
  /// its weight. A pair that labels imply, with weight 1, and that is given with a larger weight is
  /// here with what it weighs more.
  std::span<const RowPair> extra_must_link() const { return extra_must_link_; }
  std::span<const RowPair> extra_cannot_link() const { return extra_cannot_link_; }
  std::span<const RowPair> extra(LinkKind kind) const {
    return kind == LinkKind::must_link ? extra_must_link_ : extra_cannot_link_;
  }
  /// kUnlabeled if labels say nothing about the row.
  Index label(Index row) const { return labels_[row]; }
  bool are_labeled(const RowPair& pair) const {
    return label(pair.first) != kUnlabeled && label(pair.second) != kUnlabeled;
  }

  Index n_must_link() const;
  Index n_cannot_link() const;
  bool are_must_linked(Index i, Index j) const;
  bool are_cannot_linked(Index i, Index j) const;
  /// Sum of the weights of the pairs.
  double must_link_weight() const;
  double cannot_link_weight() const;
  /// Sum of the weights of the cannot-links of each row: their number, if all weigh 1.
  std::vector<double> cannot_link_weights() const;

  /// All pairs as a list, ascending: for methods whose cost is per pair anyway.
  /// @throws DataError if there are more than kMaxListedPairs of them
  std::vector<RowPair> must_link_pairs() const;
  std::vector<RowPair> cannot_link_pairs() const;

 private:
  std::vector<Index> labels_;
  std::vector<std::vector<Index>> classes_;
  std::vector<RowPair> extra_must_link_;
  std::vector<RowPair> extra_cannot_link_;
};

}  // namespace tamis
