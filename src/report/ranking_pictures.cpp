#include "report/ranking_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "report/svg_chart.hpp"
#include "report/text.hpp"
#include "results/feature_fates.hpp"

namespace tamis {
namespace {

constexpr std::size_t kShown = 30;
constexpr int kGrey = kTones - 1;

std::span<const Index> best_features(const Ranking& ranking) {
  return std::span(ranking.order).first(std::min(kShown, ranking.order.size()));
}

std::string how_many(const Ranking& ranking) {
  const std::size_t all = ranking.order.size();
  return all > kShown ? fmt::format("the best {} of {}", kShown, all) : fmt::format("all {}", all);
}

bool is_kept(const Ranking& ranking, Index column) {
  return !ranking.subset || std::ranges::find(*ranking.subset, column) != ranking.subset->end();
}

struct Extremes {
  double worst;
  double best;
};

/// Of the scores that are numbers.
Extremes extremes_of(const Ranking& ranking) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const double score : ranking.scores)
    if (std::isfinite(score)) {
      low = std::min(low, score);
      high = std::max(high, score);
    }
  if (low > high) return {0.0, 1.0};
  return ranking.better == Better::higher ? Extremes{low, high} : Extremes{high, low};
}

}  // namespace

Index features_on_page(Index all) {
  constexpr Index kMost = 20'000;
  constexpr Index kOfTooMany = 1000;
  return all <= kMost ? all : kOfTooMany;
}

std::string feature_name(const RankingFacts& facts, Index column) {
  return facts.feature_names.empty() ? std::to_string(column) : facts.feature_names[column];
}

std::string part_text(std::optional<Part> part) { return part ? std::string(word_of(*part)) : ""; }

namespace {

void add_diversity(const RankingFacts& facts, const Diversity& diversity, Index column,
                   std::vector<DataTable::Cell>& row) {
  const std::optional<Index>& nearest = diversity.nearest[column];
  row.emplace_back(diversity.gain[column]);
  row.emplace_back(nearest ? feature_name(facts, *nearest) : "");
  row.emplace_back(diversity.correlation[column]);
}

}  // namespace

DataTable ranking_table(const RankingFacts& facts, const Ranking& ranking) {
  DataTable data{.file = "ranking.csv", .columns = {"rank", "feature", "column", "score"}};
  const std::vector<std::string> fates =
      feature_fates(ranking, [&](Index column) { return feature_name(facts, column); });
  if (ranking.committee)
    for (const char* const column :
         {"draws", "mean", "place", "place low", "place high", "best share"})
      data.columns.emplace_back(column);
  if (ranking.diversity)
    for (const char* const column : {"gain", "nearest", "correlation"})
      data.columns.emplace_back(column);
  if (ranking.relevance)
    for (const char* const column : {"q", "part"}) data.columns.emplace_back(column);
  if (!fates.empty()) data.columns.emplace_back("fate");
  for (Index place = 0; place < features_on_page(std::ssize(ranking.order)); ++place) {
    const Index r = ranking.order[place];
    auto& row = data.rows.emplace_back();
    row = {place + 1, feature_name(facts, r), r, ranking.scores[r]};
    if (const auto& committee = ranking.committee) {
      row.emplace_back(committee->draws[r]);
      row.emplace_back(committee->mean[r]);
      row.emplace_back(committee->place[r]);
      for (const auto* values :
           {&committee->place_low, &committee->place_high, &committee->best_share})
        row.emplace_back((*values)[r]);
    }
    if (ranking.diversity) add_diversity(facts, *ranking.diversity, r, row);
    if (const auto& relevance = ranking.relevance) {
      row.emplace_back(relevance->q[r]);
      row.emplace_back(part_text(relevance->part[r]));
    }
    if (!fates.empty()) row.emplace_back(fates[r]);
  }
  return data;
}

Picture score_picture(const RankingFacts& facts, const Ranking& ranking) {
  const auto [worst, best] = extremes_of(ranking);
  RowChart chart{.description = fmt::format("Bar chart: scores of {} features by {}, best first.",
                                            how_many(ranking), facts.method),
                 .axis_title = fmt::format("score ({} is better)", word_of(ranking.better)),
                 .first = worst,
                 .last = best};
  DataTable data{.file = "scores.csv", .columns = {"rank", "feature", "score"}};
  for (Index place = 0; place < features_on_page(std::ssize(ranking.order)); ++place) {
    const Index r = ranking.order[place];
    const std::string name = feature_name(facts, r);
    if (place < static_cast<Index>(kShown))
      chart.rows.push_back(
          {.label = name, .value = ranking.scores[r], .tone = is_kept(ranking, r) ? 0 : kGrey});
    data.rows.push_back({place + 1, name, ranking.scores[r]});
  }
  Html caption = fmt::format(
      "Bars reach from the worst score of the table ({}) to that of the "
      "feature: longer is better.",
      for_people(worst));
  if (ranking.subset) caption += " Grey: not kept.";
  return {.title = fmt::format("Scores of {} features", how_many(ranking)),
          .chart = draw(chart),
          .caption = caption,
          .data = std::move(data)};
}

Picture step_picture(const RankingFacts& facts, const Ranking& ranking) {
  const Relevance& relevance = *ranking.relevance;
  LineChart::Line steps{.name = "p"};
  if (relevance.n_backed > 0) steps.chosen = static_cast<double>(relevance.n_backed);
  DataTable data{.file = "steps.csv", .columns = {"step", "feature", "p"}};
  for (std::size_t t = 0; t < relevance.step_p.size(); ++t) {
    steps.marks.push_back({.x = static_cast<double>(t + 1), .y = relevance.step_p[t]});
    data.rows.push_back(
        {static_cast<Index>(t + 1), feature_name(facts, ranking.order[t]), relevance.step_p[t]});
  }
  return {.title = "What each feature adds, against chance",
          .chart = draw(LineChart{.description = "Line chart: the probability that chance would "
                                                 "add as much as each feature that was chosen.",
                                  .x_title = "step",
                                  .y_title = "p",
                                  .spacing = Spacing::logarithmic,
                                  .lines = {steps}}),
          .legend = legend_item(steps, 0),
          .caption = fmt::format(
              "The probability that the best of columns which have nothing to "
              "do with the target would add as much. Features are backed up to "
              "the ring: of these a share of at most about {} is expected to add nothing.",
              for_people(relevance.fdr)),
          .data = std::move(data)};
}

Picture place_picture(const RankingFacts& facts, const Ranking& ranking) {
  const Committee& committee = *ranking.committee;
  RowChart chart{.description = fmt::format("Dot chart: the places of {} features, and where 90 % "
                                            "of their places lie if members are resampled.",
                                            how_many(ranking)),
                 .axis_title = "place in the ranking of the ensemble",
                 .shape = RowChart::Shape::dot};
  DataTable data{.file = "committee.csv",
                 .columns = {"feature", "draws", "mean", "place", "place low", "place high"}};
  for (const Index r : best_features(ranking)) {
    const double low = committee.place_low[r];
    const double high = committee.place_high[r];
    const std::string name = feature_name(facts, r);
    chart.rows.push_back({.label = name,
                          .value = static_cast<double>(committee.place[r]),
                          .low = low,
                          .high = high});
    data.rows.push_back(
        {name, committee.draws[r], committee.mean[r], committee.place[r], low, high});
  }
  return {.title = "How sure each place is",
          .chart = draw(chart),
          .caption =
              "The place of each feature, and from where to where it is in 90 % of the "
              "rankings by members drawn anew from those of the ensemble.",
          .data = std::move(data)};
}

Picture best_share_picture(const RankingFacts& facts, const Ranking& ranking) {
  const Committee& committee = *ranking.committee;
  RowChart chart{.description = fmt::format("Bar chart: how often members put {} features among "
                                            "their best tenth.",
                                            how_many(ranking)),
                 .axis_title = "share of its draws",
                 .first = 0.0,
                 .last = 1.0};
  DataTable data{.file = "best_share.csv", .columns = {"feature", "draws", "best share"}};
  for (const Index r : best_features(ranking)) {
    const std::string name = feature_name(facts, r);
    chart.rows.push_back({.label = name, .value = committee.best_share[r], .tone = 2});
    data.rows.push_back({name, committee.draws[r], committee.best_share[r]});
  }
  return {
      .title = "How often among the best tenth",
      .chart = draw(chart),
      .caption = "Of the members that saw the feature, those that put it among their best 10 %.",
      .data = std::move(data)};
}

}  // namespace tamis
