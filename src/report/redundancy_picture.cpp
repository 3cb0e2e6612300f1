#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/ranking_pictures.hpp"
#include "report/svg_chart.hpp"

namespace tamis {
namespace {

constexpr std::size_t kShown = 100;

/// A feature of the tree, seen from the best feature of its part.
struct Visit {
  Index feature;
  std::optional<Index> parent_place;  ///< among the visits
  double correlation;                 ///< with the parent
};

/// The features of the tree, depth first, better ones first among equals.
class DepthFirst {
 public:
  DepthFirst(const Redundancy& redundancy, const std::vector<Index>& order) {
    for (const auto& [first, second, correlation] : redundancy.tree) {
      neighbors_[first].emplace_back(second, correlation);
      neighbors_[second].emplace_back(first, correlation);
    }
    for (std::size_t place = 0; place < order.size(); ++place)
      if (neighbors_.contains(order[place])) place_[order[place]] = place;
    for (auto& [feature, near] : neighbors_)
      std::ranges::sort(near, std::greater{}, [&](const auto& edge) { return place_[edge.first]; });
    for (const Index feature : order)
      if (neighbors_.contains(feature) && !seen_.contains(feature)) visit_from(feature);
  }

  const std::vector<Visit>& visits() const { return visits_; }

 private:
  void visit_from(Index root) {
    std::vector<Visit> waiting{{root, std::nullopt, 0.0}};
    while (!waiting.empty()) {
      const Visit visit = waiting.back();
      waiting.pop_back();
      if (!seen_.emplace(visit.feature, true).second) continue;
      visits_.push_back(visit);
      for (const auto& [near, correlation] : neighbors_[visit.feature])
        if (!seen_.contains(near)) waiting.push_back({near, std::ssize(visits_) - 1, correlation});
    }
  }

  std::map<Index, std::vector<std::pair<Index, double>>> neighbors_ = {};
  std::map<Index, std::size_t> place_ = {};
  std::map<Index, bool> seen_ = {};
  std::vector<Visit> visits_ = {};
};

using Removals = std::map<Index, Redundancy::Removal>;

Removals removals_of(const Redundancy& redundancy) {
  Removals removals;
  for (const Redundancy::Removal& removal : redundancy.removed)
    removals.emplace(removal.feature, removal);
  return removals;
}

/// Whether one of two features removed the other.
bool is_reason(const Removals& removals, Index one, Index other) {
  const auto because_of = [&](Index removed, Index kept) {
    const auto found = removals.find(removed);
    return found != removals.end() && found->second.because_of == kept;
  };
  return because_of(one, other) || because_of(other, one);
}

TreeChart::Node node_of(const RankingFacts& facts, const Removals& removals,
                        const std::vector<Visit>& visits, const Visit& visit) {
  const auto removal = removals.find(visit.feature);
  TreeChart::Node node{.label = feature_name(facts, visit.feature),
                       .parent = visit.parent_place,
                       .strength = visit.correlation,
                       .is_filled = removal == removals.end()};
  if (visit.parent_place)
    node.has_strong_edge = is_reason(removals, visit.feature, visits[*visit.parent_place].feature);
  if (!node.is_filled)
    node.note = fmt::format("|ρ| {:.2f} with {}", removal->second.correlation,
                            feature_name(facts, removal->second.because_of));
  return node;
}

std::vector<DataTable::Cell> row_of(const RankingFacts& facts, const Removals& removals,
                                    const std::vector<Visit>& visits, const Visit& visit) {
  std::vector<DataTable::Cell> row{feature_name(facts, visit.feature)};
  if (visit.parent_place)
    row.insert(row.end(),
               {feature_name(facts, visits[*visit.parent_place].feature), visit.correlation});
  else
    row.insert(row.end(), {std::string(), kUndefined});
  const auto removal = removals.find(visit.feature);
  if (removal == removals.end())
    row.insert(row.end(), {std::string("kept"), std::string(), kUndefined});
  else
    row.insert(row.end(), {std::string("removed"), feature_name(facts, removal->second.because_of),
                           removal->second.correlation});
  return row;
}

}  // namespace

Picture redundancy_picture(const RankingFacts& facts, const Ranking& ranking) {
  const Removals removals = removals_of(*ranking.redundancy);
  const DepthFirst walk(*ranking.redundancy, ranking.order);
  const std::vector<Visit>& visits = walk.visits();
  TreeChart chart{.description = fmt::format("Tree of {} features, joined where they correlate "
                                             "most; {} of them removed.",
                                             visits.size(), removals.size())};
  DataTable data{.file = "redundancy.csv",
                 .columns = {"feature", "joined to", "correlation", "fate", "because of",
                             "correlation with that"}};
  for (const Visit& visit : visits) {
    if (chart.nodes.size() < kShown) chart.nodes.push_back(node_of(facts, removals, visits, visit));
    data.rows.push_back(row_of(facts, removals, visits, visit));
  }
  Html caption =
      "Features are joined where they correlate most; thicker is stronger. Filled: kept. Hollow: "
      "removed, because a better feature says nearly the same.";
  if (visits.size() > kShown)
    caption += fmt::format(" The first {} of {}; the file has all.", kShown, visits.size());
  return {.title = "Which features repeat others",
          .chart = draw(chart),
          .caption = caption,
          .data = std::move(data)};
}

}  // namespace tamis
