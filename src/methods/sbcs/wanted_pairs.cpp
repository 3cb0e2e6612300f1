#include "methods/sbcs/wanted_pairs.hpp"

#include <algorithm>

namespace tamis {
namespace {

/// The pairs beyond the labels, of which those of two labeled rows weigh this much more than 1.
std::vector<WantedPair> extra_pairs(const ConstraintSet& constraints) {
  std::vector<WantedPair> pairs;
  for (const LinkKind kind : {LinkKind::must_link, LinkKind::cannot_link})
    for (const RowPair& pair : constraints.extra(kind))
      pairs.push_back({pair.first, pair.second, kind == LinkKind::must_link ? 1.0 : 0.0,
                       pair.weight + (constraints.are_labeled(pair) ? 1.0 : 0.0)});
  return pairs;
}

}  // namespace

WantedPairs linked_pairs(const ConstraintSet& constraints) {
  WantedPairs pairs;
  for (Index i = 0; i < constraints.rows(); ++i) {
    if (constraints.label(i) == kUnlabeled) continue;
    pairs.rows.push_back(i);
    pairs.classes.push_back(constraints.label(i));
  }
  const auto place = [&](Index row) {
    return std::ranges::lower_bound(pairs.rows, row) - pairs.rows.begin();
  };
  for (const WantedPair& pair : extra_pairs(constraints)) {
    if (constraints.are_labeled({pair.first, pair.second}))
      pairs.changed.push_back({place(pair.first), place(pair.second), pair.target, pair.weight});
    else
      pairs.listed.push_back(pair);
  }
  return pairs;
}

WantedPairs all_pairs(const ConstraintSet& constraints, std::vector<Index> classes) {
  return {.rows = all_indices(constraints.rows()),
          .classes = std::move(classes),
          .changed = extra_pairs(constraints)};
}

}  // namespace tamis
