#pragma once

#include <optional>
#include <vector>

#include "constraints/coherence.hpp"
#include "constraints/constraint_set.hpp"

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
  ConstraintSet all_;
  std::optional<CoherenceMeter> meter_;
};

}  // namespace tamis
