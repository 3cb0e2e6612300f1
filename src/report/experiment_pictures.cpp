#include "report/experiment_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "evaluation/setting_words.hpp"
#include "report/line_picture.hpp"
#include "report/svg_chart.hpp"
#include "report/text.hpp"

namespace tamis {
namespace {

/// A control that has one value whatever the number of features.
bool is_level(const MethodSummary& method) {
  return method.method == kAllFeatures && method.curve.lengths.size() == 1;
}

LineChart::Line line_of(const MethodSummary& method) {
  LineChart::Line line{
      .name = method.method, .is_control = is_control(method.method), .is_level = is_level(method)};
  const Curve& curve = method.curve;
  for (std::size_t i = 0; i < curve.lengths.size(); ++i)
    line.marks.push_back(
        {static_cast<double>(curve.lengths[i]), curve.mean[i], curve.deviation[i]});
  if (curve.one_error_choice > 0 && curve.lengths.size() > 1 && !line.is_control)
    line.chosen = static_cast<double>(curve.one_error_choice);
  return line;
}

/// "3", or "3-10" for 10 constraints of 3 labels.
std::string known_part(Index labels, std::optional<Index> n_constraints) {
  return n_constraints ? fmt::format("{}-{}", labels, *n_constraints) : std::to_string(labels);
}

/// "transfer view", "10 constraints, transfer view"
std::string comparison_words(const Comparison& comparison) {
  return fmt::format(
      "{}{} view",
      comparison.n_constraints ? fmt::format("{} constraints, ", *comparison.n_constraints) : "",
      word_of(comparison.view));
}

std::string view_words(Viewpoint view) {
  return view == Viewpoint::transfer ? "all training labels" : "only the few labels";
}

}  // namespace

std::string csv_name(std::string_view what, const DataSetSummary& summary) {
  return fmt::format("{}-{}-{}-{}.csv", what, file_name_part(summary.data_set),
                     known_part(summary.labels_per_class, summary.n_constraints),
                     word_of(summary.view));
}

Picture accuracy_picture(const ExperimentFacts& facts, const DataSetSummary& summary) {
  LineChart chart{
      .description = fmt::format("Line chart: accuracy on {} against the number of features, {} "
                                 "view, {}, one line per method.",
                                 summary.data_set, word_of(summary.view),
                                 labels_words(facts, summary.labels_per_class)),
      .x_title = "number of features",
      .y_title = "accuracy"};
  DataTable data{
      .file = csv_name("accuracy", summary),
      .columns = {"method", "features", "mean", "deviation", "runs", "one standard error choice"}};
  Html legend;
  for (const MethodSummary& method : summary.methods) {
    const Curve& curve = method.curve;
    if (curve.lengths.empty()) continue;
    chart.lines.push_back(line_of(method));
    legend += legend_item(chart.lines.back(), std::ssize(chart.lines) - 1);
    for (std::size_t i = 0; i < curve.lengths.size(); ++i)
      data.rows.push_back({method.method, curve.lengths[i], curve.mean[i], curve.deviation[i],
                           curve.runs, curve.one_error_choice});
  }
  return {.title = fmt::format("Accuracy, {} view", word_of(summary.view)),
          .chart = draw(chart),
          .legend = legend,
          .caption = fmt::format("The classifier learns from {}. Mean over the runs, band of one "
                                 "standard deviation. Ring: the smallest number of features "
                                 "within one standard error of the best. Dashed: controls.",
                                 view_words(summary.view)),
          .data = std::move(data)};
}

bool has_clusters(const DataSetSummary& summary) {
  return std::ranges::any_of(summary.methods,
                             [](const MethodSummary& m) { return m.kmeans.has_value(); });
}

Picture cluster_picture(const DataSetSummary& summary) {
  LinePicture picture{
      .chart = {.description = fmt::format("Line chart: adjusted Rand index of k-means clusters "
                                           "and classes of test rows on {} against the number of "
                                           "features, one line per method.",
                                           summary.data_set),
                .x_title = "number of features",
                .y_title = "adjusted Rand index"},
      .data = {.file = csv_name("clusters", summary),
               .columns = {"method", "features", "adjusted rand", "deviation", "rand", "nmi"}}};
  for (const MethodSummary& method : summary.methods) {
    if (!method.kmeans) continue;
    const auto& [rand, adjusted, nmi] = *method.kmeans;
    LineChart::Line line{.name = method.method,
                         .is_control = is_control(method.method),
                         .is_level = is_level(method)};
    for (std::size_t i = 0; i < method.curve.lengths.size(); ++i) {
      line.marks.push_back({static_cast<double>(method.curve.lengths[i]),
                            adjusted.mean_by_length[i], adjusted.deviation_by_length[i]});
      picture.data.rows.push_back({method.method, method.curve.lengths[i],
                                   adjusted.mean_by_length[i], adjusted.deviation_by_length[i],
                                   rand.mean_by_length[i], nmi.mean_by_length[i]});
    }
    picture.add(std::move(line));
  }
  return picture.finished(
      "Clusters of test rows",
      "How well k-means on the best features, with as many clusters as classes, finds the classes "
      "of test rows: 1 is a perfect match, 0 is chance. Mean over the runs, band of one standard "
      "deviation. Dashed: controls.");
}

Picture supervision_picture(const ExperimentFacts& facts,
                            const std::vector<const DataSetSummary*>& summaries) {
  const DataSetSummary& first = *summaries.front();
  const bool counts_pairs = first.n_constraints.has_value();
  const std::string_view what = counts_pairs ? "constraints" : "labels";
  LinePicture picture{
      .chart = {.description = fmt::format("Line chart: accuracy on {} against the number of {}, "
                                           "{} view, one line per method.",
                                           first.data_set, what, word_of(first.view)),
                .x_title = counts_pairs ? "number of constraints"
                                        : fmt::format("labels {}", labels_unit(facts)),
                .y_title = "accuracy"},
      .data = {
          .file = fmt::format("accuracy-by-{}-{}{}-{}.csv", what, file_name_part(first.data_set),
                              counts_pairs ? fmt::format("-{}", first.labels_per_class) : "",
                              word_of(first.view)),
          .columns = {"method", std::string(what), "mean", "deviation", "runs"}}};
  for (const std::string& name : facts.methods) {
    LineChart::Line line{.name = name, .is_control = is_control(name)};
    for (const DataSetSummary* const summary : summaries) {
      const auto method = std::ranges::find(summary->methods, name, &MethodSummary::method);
      if (method == summary->methods.end() || method->per_run.empty()) continue;
      const Index count = summary->n_constraints.value_or(summary->labels_per_class);
      line.marks.push_back({static_cast<double>(count), method->mean, method->deviation});
      picture.data.rows.push_back(
          {name, count, method->mean, method->deviation, method->curve.runs});
    }
    if (!line.marks.empty()) picture.add(std::move(line));
  }
  return picture.finished(
      fmt::format("Accuracy against {}, {} view", what, word_of(first.view)),
      fmt::format("Mean over {} and the runs, band of one standard deviation. Dashed: controls.{}",
                  "all numbers of features",
                  counts_pairs ? " Methods that need classes, and controls, do not see pairs: "
                                 "their lines are level."
                               : ""));
}

Picture rank_picture(const Comparison& comparison) {
  const FriedmanTest& test = *comparison.friedman;
  std::vector<std::size_t> order(comparison.methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t m) { return test.average_ranks[m]; });
  RankDiagram chart{.description = fmt::format("Average ranks of {} methods over {} data sets.",
                                               comparison.methods.size(), test.data_sets),
                    .critical_difference = test.critical_difference_05};
  DataTable data{
      .file = fmt::format("ranks-{}-{}.csv",
                          known_part(comparison.labels_per_class, comparison.n_constraints),
                          word_of(comparison.view)),
      .columns = {"method", "average rank", "critical difference 05", "critical difference 10"}};
  for (const std::size_t m : order) {
    chart.methods.push_back({comparison.methods[m], test.average_ranks[m]});
    data.rows.push_back({comparison.methods[m], test.average_ranks[m], test.critical_difference_05,
                         test.critical_difference_10});
  }
  const bool differ = test.f_p <= 0.05;
  return {.title = fmt::format("Average ranks, {}", comparison_words(comparison)),
          .chart = draw(chart),
          .caption = fmt::format(
              "Friedman χ² = {:.3g} (p = {:.3g}), Iman and Davenport F = {:.3g} (p = {:.3g}) over "
              "{} data sets: the methods {}. A bar at the right joins methods whose ranks differ "
              "by less than the critical difference (Nemenyi, level 0.05; {:.2f} at 0.10).",
              test.chi_square, test.chi_square_p, test.f, test.f_p, test.data_sets,
              differ ? "differ" : "cannot be told apart", test.critical_difference_10),
          .data = std::move(data)};
}

bool has_stability(const DataSetSummary& summary) {
  return std::ranges::any_of(summary.methods,
                             [](const MethodSummary& m) { return m.stability.has_value(); });
}

bool has_times(const DataSetSummary& summary) {
  return std::ranges::any_of(summary.methods,
                             [](const MethodSummary& m) { return m.cpu_seconds > 0.0; });
}

Picture stability_picture(const DataSetSummary& summary) {
  RowChart chart{.description = fmt::format("Dot chart: stability of the chosen features on {}, "
                                            "with 95 % intervals.",
                                            summary.data_set),
                 .axis_title = "stability (Nogueira)",
                 .shape = RowChart::Shape::dot,
                 .last = 1.0};
  DataTable data{.file = csv_name("stability", summary),
                 .columns = {"method", "nogueira", "low", "high", "kuncheva", "features", "runs"}};
  for (const MethodSummary& method : summary.methods) {
    if (!method.stability) continue;
    const Stability& seen = *method.stability;
    chart.rows.push_back({.label = method.method,
                          .value = seen.nogueira,
                          .low = seen.nogueira_low,
                          .high = seen.nogueira_high,
                          .tone = 2});
    data.rows.push_back({method.method, seen.nogueira, seen.nogueira_low, seen.nogueira_high,
                         seen.kuncheva, seen.set_size, seen.sets});
  }
  return {.title = "Stability",
          .chart = draw(chart),
          .caption =
              "How alike the best features are that different runs choose, as many as the table "
              "below calls chosen, with 95 % intervals: 1 is always the same set, 0 is chance.",
          .data = std::move(data)};
}

Picture time_picture(const DataSetSummary& summary) {
  RowChart chart{
      .description = fmt::format("Dot chart: CPU seconds of one ranking on {}.", summary.data_set),
      .axis_title = "CPU seconds (logarithmic)",
      .shape = RowChart::Shape::dot,
      .spacing = Spacing::logarithmic};
  DataTable data{.file = csv_name("cost", summary),
                 .columns = {"method", "cpu seconds", "peak memory bytes"}};
  for (const MethodSummary& method : summary.methods) {
    if (!(method.cpu_seconds > 0.0)) continue;
    chart.rows.push_back({.label = method.method, .value = method.cpu_seconds, .tone = 1});
    data.rows.push_back(
        {method.method, method.cpu_seconds, Index{method.peak_memory_bytes.value_or(0)}});
  }
  return {.title = "Time of a ranking",
          .chart = draw(chart),
          .caption = "Mean over the runs. Memory: see the table.",
          .data = std::move(data)};
}

namespace {

/// Cells that only some experiments have: pairs, and clusters of rows.
void add_extras(const DataSetSummary& summary, const MethodSummary& method, bool clusters,
                std::vector<DataTable::Cell>& row) {
  if (summary.n_constraints) row.emplace_back(*summary.n_constraints);
  if (!clusters) return;
  const auto& kmeans = method.kmeans;
  row.emplace_back(kmeans ? kmeans->adjusted_rand.mean : kUndefined);
  row.emplace_back(kmeans ? kmeans->rand.mean : kUndefined);
  row.emplace_back(kmeans ? kmeans->nmi.mean : kUndefined);
}

}  // namespace

DataTable method_table(const std::vector<const DataSetSummary*>& views) {
  DataTable data{
      .file = fmt::format("methods-{}-{}.csv", file_name_part(views.front()->data_set),
                          views.front()->labels_per_class),
      .columns = {"method", "view", "accuracy", "deviation", "chosen features", "against random",
                  "mean correlation", "stability", "cpu seconds", "peak memory MB", "failures"}};
  const bool clusters = has_clusters(*views.front());
  if (views.front()->n_constraints) data.columns.emplace_back("constraints");
  if (clusters)
    for (const char* const column : {"adjusted rand", "rand", "nmi"})
      data.columns.emplace_back(column);
  for (const DataSetSummary* const summary : views)
    for (const MethodSummary& m : summary->methods) {
      data.rows.push_back(
          {m.method, std::string(word_of(summary->view)), m.mean, m.deviation,
           m.curve.one_error_choice,
           std::string(m.against_random ? word_of(m.against_random->finding) : ""),
           m.mean_correlation, m.stability ? m.stability->nogueira : kUndefined, m.cpu_seconds,
           m.peak_memory_bytes ? static_cast<double>(*m.peak_memory_bytes) / 1e6 : kUndefined,
           m.failures});
      add_extras(*summary, m, clusters, data.rows.back());
    }
  return data;
}

Html versus_table(const Comparison& comparison) {
  const Index n = std::ssize(comparison.methods);
  DataTable data{
      .file = fmt::format("wins-{}-{}.csv",
                          known_part(comparison.labels_per_class, comparison.n_constraints),
                          word_of(comparison.view)),
      .columns = {"method", "against", "wins", "ties", "losses"}};
  Html head = element("td", {});
  Html body;
  for (Index i = 0; i < n; ++i) {
    const std::string& name = comparison.methods[i];
    head += element("th", {{"scope", "col"}}, name);
    Html cells = element("th", {{"scope", "row"}}, name);
    for (Index j = 0; j < n; ++j) {
      const auto& [wins, ties, losses] = comparison.win_tie_loss[i * n + j];
      const std::string_view kind = wins > losses ? "up" : wins < losses ? "down" : "even";
      if (i == j)
        cells += element("td", {}, "·");
      else
        cells += element("td", {{"class", kind}}, fmt::format("{} / {} / {}", wins, ties, losses));
      if (i != j) data.rows.push_back({name, comparison.methods[j], wins, ties, losses});
    }
    body += element("tr", {}, cells);
  }
  const std::string title = fmt::format("Who beats whom, {}", comparison_words(comparison));
  const Html caption =
      "Wins / ties / losses of the method of the row against that of the column, over data sets "
      "(paired t test over the runs, corrected for the rows they share, level 0.05).";
  const Html table =
      element("table", {{"class", "versus"}}, element("thead", {}, element("tr", {}, head)),
              element("tbody", {}, body));
  return element("div", {{"class", "table"}}, element("h3", {}, title),
                 element("p", {{"class", "caption"}}, caption), scrolling("Table: " + title, table),
                 csv_button(data));
}

}  // namespace tamis
