#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/line_picture.hpp"
#include "report/ranking_pictures.hpp"

namespace tamis {
namespace {

/// Of more places, so many are shown, evenly.
constexpr Index kShownPlaces = 200;

std::string words_of(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// Columns that have a value, best first.
std::vector<Index> defined_order(const ScoreTerm& term, Better better) {
  std::vector<Index> order = best_first(term.values, better);
  std::erase_if(order, [&](Index column) { return std::isnan(term.values[column]); });
  return order;
}

std::vector<Index> shown_places(Index count) {
  if (count <= kShownPlaces) return all_indices(count);
  std::vector<Index> places;
  for (Index s = 0; s < kShownPlaces; ++s) places.push_back(s * (count - 1) / (kShownPlaces - 1));
  return places;
}

Index broken(const ClusterIteration& iteration) {
  return iteration.must_link_violations + iteration.cannot_link_violations;
}

}  // namespace

Picture term_picture(const RankingFacts& facts, const Ranking& ranking) {
  LinePicture picture{
      .chart = {.description = fmt::format("Line chart: the terms of the scores by {}, each sorted "
                                           "from its best value on.",
                                           facts.method),
                .x_title = "place by the term",
                .y_title = fmt::format("value ({} is better)", word_of(ranking.better))},
      .data = {.file = "terms.csv", .columns = {"term", "place", "feature", "value"}}};
  for (const ScoreTerm& term : *ranking.terms) {
    const std::vector<Index> order = defined_order(term, ranking.better);
    LineChart::Line line{.name = words_of(term.name)};
    for (const Index place : shown_places(std::ssize(order))) {
      const double value = term.values[order[place]];
      line.marks.push_back({.x = static_cast<double>(place + 1), .y = value});
      picture.data.rows.push_back({term.name, place + 1, feature_name(facts, order[place]), value});
    }
    picture.add(std::move(line));
  }
  return picture.finished("What the scores are made of",
                          "Each term of the score, its values sorted. A steep line tells features "
                          "apart, a level one does not.");
}

Picture convergence_picture(const Ranking& ranking) {
  LinePicture picture{
      .chart = {.description = "Line chart: the objective after each iteration of the best run.",
                .x_title = "iteration",
                .y_title = "objective"},
      .data = {.file = "convergence.csv", .columns = {"iteration", "objective", "changed rows"}}};
  LineChart::Line line{.name = "objective"};
  Index number = 0;
  for (const ClusterIteration& iteration : *ranking.iterations) {
    line.marks.push_back({.x = static_cast<double>(++number), .y = iteration.objective});
    picture.data.rows.push_back({number, iteration.objective, iteration.changed});
  }
  picture.add(std::move(line));
  return picture.finished("Convergence", "What the clustering lowers, in its best run.");
}

Picture violation_picture(const Ranking& ranking) {
  LinePicture picture{
      .chart = {.description = "Line chart: broken constraints after each iteration of the best "
                               "run.",
                .x_title = "iteration",
                .y_title = "broken constraints"},
      .data = {.file = "violations.csv", .columns = {"constraints", "iteration", "broken"}}};
  const auto add = [&](const std::string& name, const auto& count) {
    LineChart::Line line{.name = name};
    Index number = 0;
    for (const ClusterIteration& iteration : *ranking.iterations) {
      const Index value = count(iteration);
      line.marks.push_back({.x = static_cast<double>(++number), .y = static_cast<double>(value)});
      picture.data.rows.push_back({name, number, value});
    }
    picture.add(std::move(line));
  };
  add("must-links", [](const ClusterIteration& one) { return one.must_link_violations; });
  add("cannot-links", [](const ClusterIteration& one) { return one.cannot_link_violations; });
  add("both", broken);
  return picture.finished("Broken constraints",
                          "Must-linked rows in different clusters, and cannot-linked rows in the "
                          "same one.");
}

Picture plane_picture(const RankingFacts& facts) {
  const RowPlane& plane = *facts.plane;
  const std::string x_name = feature_name(facts, plane.x_column);
  const std::string y_name = feature_name(facts, plane.y_column);
  ScatterChart chart{.description = fmt::format("Scatter chart: rows along {} and {}, with their "
                                                "classes and pairs.",
                                                x_name, y_name),
                     .x_title = x_name,
                     .y_title = y_name};
  DataTable data{.file = "rows.csv", .columns = {"row", "class", x_name, y_name}};
  Html legend;
  const auto add_legend = [&](const std::string& name, bool is_dashed) {
    const Index place = std::ssize(chart.groups) + std::ssize(chart.links) - 1;
    legend += legend_item({.name = name, .is_control = is_dashed}, place);
  };
  for (const RowPlane::Group& group : plane.groups) {
    chart.groups.push_back({.marks = {}});
    for (const RowPlane::Row& row : group.rows) {
      chart.groups.back().marks.push_back({row.x, row.y});
      data.rows.push_back({row.name, group.name, row.x, row.y});
    }
    add_legend(group.name, false);
  }
  const auto add_links = [&](const std::vector<RowPlane::Link>& links, const std::string& name,
                             bool is_dashed) {
    if (links.empty()) return;
    chart.links.push_back({.is_dashed = is_dashed, .ends = {}});
    for (const auto& [from, to] : links)
      chart.links.back().ends.push_back({{from.x, from.y}, {to.x, to.y}});
    add_legend(name, is_dashed);
  };
  add_links(plane.must_link, "must-links", false);
  add_links(plane.cannot_link, "cannot-links", true);
  return {.title = "Rows along the two best features",
          .chart = draw(chart),
          .legend = legend,
          .caption = plane.caption,
          .data = std::move(data)};
}

}  // namespace tamis
