#include "constraints/closure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "constraints/constraint_set.hpp"
#include "constraints/disjoint_sets.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using Components = std::map<Index, std::vector<Index>>;  // rows by root, ascending

/// Must-link components of the rows that occur in some pair.
Components components_of(DisjointSets& sets, const PairConstraints& pairs) {
  std::set<Index> rows;
  for (const auto* list : {&pairs.must_link, &pairs.cannot_link})
    for (const RowPair& pair : *list) rows.insert({pair.first, pair.second});
  Components components;
  for (const Index row : rows) components[sets.root(row)].push_back(row);
  return components;
}

std::set<std::pair<Index, Index>> parted_roots(const Knowledge& known, DisjointSets& sets,
                                               const std::vector<RowPair>& cannot_link) {
  std::set<std::pair<Index, Index>> parted;
  for (const RowPair& pair : cannot_link) {
    const Index a = sets.root(pair.first);
    const Index b = sets.root(pair.second);
    if (a == b)
      throw DataError(fmt::format(
          "rows {} and {} contradict: a cannot-link parts them, but must-links put them together",
          row_name(known, pair.first), row_name(known, pair.second)));
    parted.insert(std::minmax(a, b));
  }
  return parted;
}

void sort_pairs(std::vector<RowPair>& pairs) {
  std::ranges::sort(pairs, {}, [](const RowPair& p) { return std::pair(p.first, p.second); });
}

std::vector<RowPair> pairs_within(const Components& components) {
  Index count = 0;
  for (const auto& [root, rows] : components)
    count += std::ssize(rows) * (std::ssize(rows) - 1) / 2;
  check_pair_count("must-link", count);
  std::vector<RowPair> pairs;
  for (const auto& [root, rows] : components)
    for (std::size_t b = 1; b < rows.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) pairs.push_back({rows[a], rows[b]});
  sort_pairs(pairs);
  return pairs;
}

std::vector<RowPair> pairs_between(const Components& components,
                                   const std::set<std::pair<Index, Index>>& parted) {
  Index count = 0;
  for (const auto& [a, b] : parted)
    count += std::ssize(components.at(a)) * std::ssize(components.at(b));
  check_pair_count("cannot-link", count);
  std::vector<RowPair> pairs;
  for (const auto& [a, b] : parted)
    for (const Index i : components.at(a))
      for (const Index j : components.at(b)) pairs.push_back({std::min(i, j), std::max(i, j)});
  sort_pairs(pairs);
  return pairs;
}

}  // namespace

PairConstraints closure(const PairConstraints& pairs, Index rows, const Knowledge& known) {
  DisjointSets sets(rows);
  for (const RowPair& pair : pairs.must_link) sets.join(pair.first, pair.second);
  const auto parted = parted_roots(known, sets, pairs.cannot_link);
  const Components components = components_of(sets, pairs);
  return {.must_link = pairs_within(components), .cannot_link = pairs_between(components, parted)};
}

}  // namespace tamis
