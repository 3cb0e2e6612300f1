#include "report/ranking_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "report/svg_chart.hpp"
#include "report/text.hpp"

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

std::string feature_name(const RankingFacts& facts, Index column) {
  return facts.feature_names.empty() ? std::to_string(column) : facts.feature_names[column];
}

std::vector<std::string> feature_fates(const RankingFacts& facts, const Ranking& ranking) {
  if (!ranking.subset) return {};
  std::vector<std::string> fates(ranking.scores.size());
  for (const Index column : *ranking.subset) fates[column] = "kept";
  if (!ranking.redundancy) return fates;
  for (const auto& [feature, because_of, correlation] : ranking.redundancy->removed)
    fates[feature] = fmt::format("removed: repeats {}, |ρ| {:.2f}", feature_name(facts, because_of),
                                 correlation);
  return fates;
}

DataTable ranking_table(const RankingFacts& facts, const Ranking& ranking) {
  DataTable data{.file = "ranking.csv", .columns = {"rank", "feature", "column", "score"}};
  const std::vector<std::string> fates = feature_fates(facts, ranking);
  if (ranking.committee)
    for (const char* const column : {"draws", "mean", "standard error", "best share"})
      data.columns.emplace_back(column);
  if (!fates.empty()) data.columns.emplace_back("fate");
  for (std::size_t place = 0; place < ranking.order.size(); ++place) {
    const Index r = ranking.order[place];
    auto& row = data.rows.emplace_back();
    row = {static_cast<Index>(place + 1), feature_name(facts, r), r, ranking.scores[r]};
    if (const auto& committee = ranking.committee) {
      row.emplace_back(committee->draws[r]);
      for (const auto* values :
           {&committee->mean, &committee->standard_error, &committee->best_share})
        row.emplace_back((*values)[r]);
    }
    if (!fates.empty()) row.emplace_back(fates[r]);
  }
  return data;
}

Figure score_figure(const RankingFacts& facts, const Ranking& ranking) {
  const auto [worst, best] = extremes_of(ranking);
  RowChart chart{.description = fmt::format("Bar chart: scores of {} features by {}, best first.",
                                            how_many(ranking), facts.method),
                 .axis_title = fmt::format("score ({} is better)", word_of(ranking.better)),
                 .first = worst,
                 .last = best};
  DataTable data{.file = "scores.csv", .columns = {"rank", "feature", "score"}};
  for (std::size_t place = 0; place < ranking.order.size(); ++place) {
    const Index r = ranking.order[place];
    const std::string name = feature_name(facts, r);
    if (place < kShown)
      chart.rows.push_back(
          {.label = name, .value = ranking.scores[r], .tone = is_kept(ranking, r) ? 0 : kGrey});
    data.rows.push_back({static_cast<Index>(place + 1), name, ranking.scores[r]});
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

Figure gain_figure(const RankingFacts& facts, const Ranking& ranking) {
  const GainCurve& curve = *ranking.curve;
  LineChart::Line features{.name = "best feature"};
  LineChart::Line shadows{.name = "best shadow column", .is_control = true};
  if (curve.n_features > 0) features.chosen = static_cast<double>(curve.n_features);
  DataTable data{.file = "gains.csv", .columns = {"line", "step", "feature", "gain"}};
  const auto add = [&](LineChart::Line& line, std::size_t i, double gain, const std::string& name) {
    line.marks.push_back({.x = static_cast<double>(i + 1), .y = gain});
    data.rows.push_back({line.name, static_cast<Index>(i + 1), name, gain});
  };
  for (std::size_t i = 0; i < curve.gains.size(); ++i)
    add(features, i, curve.gains[i],
        i < ranking.order.size() ? feature_name(facts, ranking.order[i]) : "");
  for (std::size_t i = 0; i < curve.shadow_gains.size(); ++i)
    add(shadows, i, curve.shadow_gains[i], "");
  Html legend = legend_item(features, 0);
  legend += legend_item(shadows, 1);
  return {.title = "What each feature adds",
          .chart = draw(LineChart{.description = "Line chart: what the best feature and the best "
                                                 "shadow column add at each step.",
                                  .x_title = "step",
                                  .y_title = "gain",
                                  .spacing = Spacing::logarithmic,
                                  .lines = {features, shadows}}),
          .legend = legend,
          .caption =
              "Shadows are columns permuted over the rows. Features are worth choosing up to "
              "the ring: then a shadow gains as much as the best of them.",
          .data = std::move(data)};
}

Figure committee_figure(const RankingFacts& facts, const Ranking& ranking) {
  const Committee& committee = *ranking.committee;
  RowChart chart{
      .description = fmt::format("Dot chart: mean score of {} features over the members, with its "
                                 "standard error.",
                                 how_many(ranking)),
      .axis_title =
          fmt::format("mean score of the members ({} is better)", word_of(ranking.better)),
      .shape = RowChart::Shape::dot};
  DataTable data{.file = "committee.csv",
                 .columns = {"feature", "draws", "mean", "standard error"}};
  for (const Index r : best_features(ranking)) {
    const double mean = committee.mean[r];
    const double error = committee.standard_error[r];
    const std::string name = feature_name(facts, r);
    chart.rows.push_back({.label = name, .value = mean, .low = mean - error, .high = mean + error});
    data.rows.push_back({name, committee.draws[r], mean, error});
  }
  return {.title = "What the members said",
          .chart = draw(chart),
          .caption = "Mean of the scores that members gave, ± one standard error.",
          .data = std::move(data)};
}

Figure best_share_figure(const RankingFacts& facts, const Ranking& ranking) {
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
