#include "constraints/closure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "constraints/closure_tree.hpp"
#include "constraints/constraint_set.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Components = std::map<Index, std::vector<Index>>;  // rows by root, ascending

Components components_of(const ClosureTree& tree, Index rows) {
  Components components;
  for (Index row = 0; row < rows; ++row)
    if (tree.root_of(row) != ClosureTree::kNone) components[tree.root_of(row)].push_back(row);
  return components;
}

void check_contradictions(const Knowledge& known, const ClosureTree& tree,
                          const std::vector<RowPair>& cannot_link) {
  for (const RowPair& pair : cannot_link)
    if (tree.must_link_weight(pair.first, pair.second) > 0.0 && pair.weight > 0.0)
      throw DataError(fmt::format(
          "rows {} and {} contradict: a cannot-link parts them, but must-links put them together",
          row_name(known, pair.first), row_name(known, pair.second)));
}

void sort_pairs(std::vector<RowPair>& pairs) {
  std::ranges::sort(pairs, {}, [](const RowPair& p) { return std::pair(p.first, p.second); });
}

std::vector<RowPair> pairs_within(const ClosureTree& tree, const Components& components) {
  Index count = 0;
  for (const auto& [root, rows] : components)
    count += std::ssize(rows) * (std::ssize(rows) - 1) / 2;
  check_pair_count("must-link", count);
  std::vector<RowPair> pairs;
  for (const auto& [root, rows] : components)
    for (std::size_t b = 1; b < rows.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        pairs.push_back({rows[a], rows[b], tree.must_link_weight(rows[a], rows[b])});
  sort_pairs(pairs);
  return pairs;
}

/// Calls visit(rows of one, rows of the other) for every two components that are parted.
template <class Visit>
void for_each_parted(const ClosureTree& tree, const Components& components, const Visit& visit) {
  for (const auto& [root, rows] : components)
    for (const ClosureTree::Parting& parting : tree.nodes()[root].parted)
      if (const auto other = components.find(parting.other);
          other != components.end() && root < parting.other)
        visit(rows, other->second);
}

std::vector<RowPair> pairs_between(const ClosureTree& tree, const Components& components) {
  using Rows = std::vector<Index>;
  Index count = 0;
  for_each_parted(tree, components, [&](const Rows& some, const Rows& others) {
    count += std::ssize(some) * std::ssize(others);
  });
  check_pair_count("cannot-link", count);
  std::vector<RowPair> pairs;
  for_each_parted(tree, components, [&](const Rows& some, const Rows& others) {
    for (const Index i : some)
      for (const Index j : others)
        pairs.push_back({std::min(i, j), std::max(i, j), tree.cannot_link_weight(i, j)});
  });
  sort_pairs(pairs);
  return pairs;
}

}  // namespace

PairConstraints closure(const PairConstraints& pairs, Index rows, const Knowledge& known) {
  const ClosureTree tree({}, pairs, rows);
  check_contradictions(known, tree, pairs.cannot_link);
  const Components components = components_of(tree, rows);
  return {.must_link = pairs_within(tree, components),
          .cannot_link = pairs_between(tree, components)};
}

}  // namespace tamis
