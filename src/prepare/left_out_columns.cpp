#include "prepare/left_out_columns.hpp"

#include <algorithm>

#include "prepare/subproblem.hpp"

namespace tamis {
namespace {

/// Where the columns that were ranked stand in the whole table.
class WholeTable {
 public:
  WholeTable(std::span<const Index> columns, Index count)
      : columns_(columns), left_out_(all_but(columns, count)), count_(count) {}

  void renumber(Index& column) const { column = columns_[column]; }
  void renumber(std::vector<Index>& columns) const {
    for (Index& column : columns) renumber(column);
  }
  /// One entry per column.
  template <class T>
  void spread(std::vector<T>& entries, const T& of_others) const {
    std::vector<T> all(count_, of_others);
    for (std::size_t s = 0; s < entries.size(); ++s) all[columns_[s]] = entries[s];
    entries = std::move(all);
  }
  void spread(std::vector<double>& entries) const { spread(entries, kUndefined); }
  void append_others(std::vector<Index>& columns) const {
    columns.insert(columns.end(), left_out_.begin(), left_out_.end());
  }

 private:
  std::span<const Index> columns_;
  std::vector<Index> left_out_;
  Index count_;
};

void widen(Redundancy& redundancy, const WholeTable& whole) {
  for (auto& [first, second, correlation] : redundancy.tree) {
    whole.renumber(first);
    whole.renumber(second);
  }
  for (auto& [feature, because_of, correlation] : redundancy.removed) {
    whole.renumber(feature);
    whole.renumber(because_of);
  }
}

void widen(Committee& committee, std::span<const Index> order, const WholeTable& whole) {
  whole.spread(committee.draws, Index{0});
  for (auto* const entries :
       {&committee.mean, &committee.place_low, &committee.place_high, &committee.best_share})
    whole.spread(*entries);
  committee.place.resize(order.size());
  for (Index s = 0; s < std::ssize(order); ++s) committee.place[order[s]] = s + 1;
}

void widen(Relevance& relevance, const WholeTable& whole) {
  whole.spread(relevance.p);
  whole.spread(relevance.q);
  whole.spread(relevance.part, std::optional<Part>());
}

void widen(Diversity& diversity, const WholeTable& whole) {
  for (std::optional<Index>& nearest : diversity.nearest)
    if (nearest) whole.renumber(*nearest);
  whole.spread(diversity.gain);
  whole.spread(diversity.nearest, std::optional<Index>());
  whole.spread(diversity.correlation);
}

void widen(Diagnostics& diagnostics, const WholeTable& whole) {
  whole.renumber(diagnostics.undefined);
  whole.append_others(diagnostics.undefined);
  std::ranges::sort(diagnostics.undefined);
}

}  // namespace

Ranking among_all_columns(Ranking ranking, std::span<const Index> columns, Index count) {
  if (std::ssize(columns) == count) return ranking;
  const WholeTable whole(columns, count);
  whole.spread(ranking.scores);
  whole.renumber(ranking.order);
  whole.append_others(ranking.order);
  if (ranking.subset) whole.renumber(*ranking.subset);
  if (ranking.path) whole.renumber(ranking.path->features);
  if (ranking.redundancy) widen(*ranking.redundancy, whole);
  if (ranking.committee) widen(*ranking.committee, ranking.order, whole);
  if (ranking.relevance) widen(*ranking.relevance, whole);
  if (ranking.diversity) widen(*ranking.diversity, whole);
  if (ranking.terms)
    for (ScoreTerm& term : *ranking.terms) whole.spread(term.values);
  for (std::vector<Index>& order : ranking.member_orders) whole.renumber(order);
  widen(ranking.diagnostics, whole);
  return ranking;
}

}  // namespace tamis
