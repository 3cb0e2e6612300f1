#include "prepare/feature_groups.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tamis {
namespace {

using Members = std::unordered_map<Index, std::vector<Index>>;

/// The columns of each group, in the order of the ranking.
Members members_of(std::span<const Index> order, std::span<const Index> groups) {
  Members members;
  for (const Index column : order) members[groups[column]].push_back(column);
  return members;
}

std::vector<Index> with_whole_groups(std::span<const Index> columns, std::span<const Index> groups,
                                     const Members& members) {
  std::vector<Index> all;
  std::vector<bool> is_taken(groups.size(), false);
  for (const Index column : columns)
    for (const Index member : members.at(groups[column])) {
      if (!is_taken[member]) all.push_back(member);
      is_taken[member] = true;
    }
  return all;
}

void number_places(std::span<const Index> order, std::vector<Index>& place) {
  for (Index s = 0; s < std::ssize(order); ++s) place[order[s]] = s + 1;
}

}  // namespace

std::vector<Index> with_whole_groups(std::span<const Index> columns,
                                     std::span<const Index> groups) {
  if (groups.empty()) return {columns.begin(), columns.end()};
  // Columns that are not among the given ones come behind them, in the order of the table.
  std::vector<Index> order(columns.begin(), columns.end());
  std::vector<bool> is_given(groups.size(), false);
  for (const Index column : columns) is_given[column] = true;
  for (Index column = 0; column < std::ssize(groups); ++column)
    if (!is_given[column]) order.push_back(column);
  return with_whole_groups(columns, groups, members_of(order, groups));
}

Ranking by_groups(Ranking ranking, std::span<const Index> groups) {
  if (groups.empty()) return ranking;
  const Members members = members_of(ranking.order, groups);
  for (const auto& [group, columns] : members)
    for (const Index column : columns) ranking.scores[column] = ranking.scores[columns.front()];
  if (ranking.relevance)
    ranking.relevance->n_backed = std::ssize(with_whole_groups(
        std::span(ranking.order).first(static_cast<std::size_t>(ranking.relevance->n_backed)),
        groups, members));
  ranking.order = with_whole_groups(ranking.order, groups, members);
  if (ranking.subset) ranking.subset = with_whole_groups(*ranking.subset, groups, members);
  if (ranking.committee) number_places(ranking.order, ranking.committee->place);
  std::erase_if(ranking.diagnostics.undefined,
                [&](Index column) { return !std::isnan(ranking.scores[column]); });
  return ranking;
}

}  // namespace tamis
