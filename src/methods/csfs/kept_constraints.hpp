#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "constraints/coherence.hpp"
#include "constraints/constraint_set.hpp"
#include "graphs/group_pairs.hpp"

namespace tamis {

/// The constraints that csfs works with: all, or those that are as coherent as their set. Those
/// that labels imply are asked for one by one and never listed.
class KeptConstraints {
 public:
  KeptConstraints(ConstraintSet all, std::optional<CoherenceMeter> meter)
      : all_(std::move(all)), meter_(std::move(meter)) {}

  const ConstraintSet& all() const { return all_; }
  bool are_selected() const { return meter_.has_value(); }

  /// By labels.
  bool joins(Index i, Index j) const {
    return all_.label(i) != kUnlabeled && all_.label(i) == all_.label(j) &&
           (!meter_ || meter_->keeps_must_link(i, j));
  }
  bool parts(Index i, Index j) const {
    return all_.label(i) != kUnlabeled && all_.label(j) != kUnlabeled &&
           all_.label(i) != all_.label(j) && (!meter_ || meter_->keeps_cannot_link(i, j));
  }

  /// Whether labels part no rows of the tile.
  bool all_joined(const TilePairs& pairs) const {
    const auto is_there = [&](Index row) { return all_.label(row) == all_.label(pairs.left[0]); };
    return std::ranges::all_of(pairs.left, is_there) && std::ranges::all_of(pairs.right, is_there);
  }
  /// Calls visit(a, b, kind) for those pairs of a tile that labels join or part, row by row.
  template <class Visit>
  void for_each_link(const TilePairs& pairs, const Visit& visit) const {
    const LabeledRows left(all_, pairs.left);
    const LabeledRows right(all_, pairs.right);
    if (left.count == 0 || right.count == 0) return;
    KeptKinds kept;
    if (meter_) kept = kept_kinds(left, right);
    for (Index s = 0; s < left.count; ++s) {
      const Index a = left.places[s];
      for (Index t = 0; t < right.count; ++t) {
        const Index b = right.places[t];
        if (b < pairs.first(a)) continue;
        const bool is_joined = left.labels[s] == right.labels[t];
        if (meter_ && !(is_joined ? kept.must : kept.cannot)[s * kRows + t]) continue;
        visit(a, b, is_joined ? LinkKind::must_link : LinkKind::cannot_link);
      }
    }
  }

  /// By explicit pairs: ConstraintSet::extra, as far as they are kept.
  std::vector<RowPair> given(LinkKind kind) const {
    const auto extra = all_.extra(kind);
    std::vector<RowPair> pairs(extra.begin(), extra.end());
    if (meter_)
      std::erase_if(pairs, [&](const RowPair& pair) {
        return kind == LinkKind::must_link ? !meter_->keeps_must_link(pair.first, pair.second)
                                           : !meter_->keeps_cannot_link(pair.first, pair.second);
      });
    return pairs;
  }

 private:
  static constexpr Index kRows = PairTile::kRows;
  static_assert(kRows == CoherenceMeter::kRowsAtOnce);

  /// Those of the rows of a tile that have a label.
  struct LabeledRows {
    LabeledRows(const ConstraintSet& all, std::span<const Index> given) {
      for (Index place = 0; place < std::ssize(given); ++place) {
        const Index label = all.label(given[place]);
        if (label == kUnlabeled) continue;
        rows[count] = given[place];
        labels[count] = label;
        places[count++] = place;
      }
    }
    std::span<const Index> all_rows() const { return std::span(rows).first(count); }
    bool are_all(Index label) const {
      return std::all_of(labels.begin(), labels.begin() + count,
                         [=](Index other) { return other == label; });
    }

    Index count = 0;
    std::array<Index, kRows> rows;
    std::array<Index, kRows> labels;
    std::array<Index, kRows> places;  ///< in the tile
  };
  /// Of each kind only if some pair of the tile may be of it.
  struct KeptKinds {
    CoherenceMeter::KeptPairs must;
    CoherenceMeter::KeptPairs cannot;
  };
  KeptKinds kept_kinds(const LabeledRows& left, const LabeledRows& right) const {
    KeptKinds kept;
    const bool is_pure = left.are_all(left.labels[0]) && right.are_all(right.labels[0]);
    const bool is_joined = is_pure && left.labels[0] == right.labels[0];
    if (!is_pure || is_joined)
      meter_->keep(LinkKind::must_link, left.all_rows(), right.all_rows(), kept.must);
    if (!is_joined)
      meter_->keep(LinkKind::cannot_link, left.all_rows(), right.all_rows(), kept.cannot);
    return kept;
  }

  ConstraintSet all_;
  std::optional<CoherenceMeter> meter_;
};

}  // namespace tamis
