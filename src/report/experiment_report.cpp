#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/counted.hpp"
#include "evaluation/findings.hpp"
#include "evaluation/setting_words.hpp"
#include "report/experiment_pictures.hpp"
#include "report/html_report.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace tamis {
namespace {

constexpr Index kAllRows = 1'000'000'000;
constexpr Index kFailuresShown = 200;

/// Whether the methods of one data set are any good, said plainly.
Html finding(const ExperimentFacts& facts, const DataSetSummary& summary) {
  const std::vector<std::string> sentences = findings(summary);
  if (sentences.empty()) return {};
  return element("li", {}, element("strong", {}, summary.data_set),
                 fmt::format(" ({}): {}",
                             setting_words(facts, summary.labels_per_class, summary.n_constraints,
                                           summary.view),
                             fmt::join(sentences, " ")));
}

Html findings_html(const ExperimentFacts& facts, const Summary& summary) {
  Html items;
  for (const DataSetSummary& one : summary.data_sets) items += finding(facts, one);
  if (items.is_empty())
    return element("p", {}, "There are no results: the experiment has not finished a single run.");
  return element("div", {{"class", "card"}}, element("ul", {{"class", "findings"}}, items));
}

/// Mean accuracies of all methods on all data sets.
DataTable accuracy_table(const ExperimentFacts& facts, const Summary& summary) {
  DataTable data{.file = "accuracies.csv", .columns = {"data set", "labels", "view"}};
  const bool counts_pairs = summary.data_sets.front().n_constraints.has_value();
  if (counts_pairs) data.columns.emplace_back("constraints");
  data.columns.insert(data.columns.end(), facts.methods.begin(), facts.methods.end());
  for (const DataSetSummary& one : summary.data_sets) {
    auto& row = data.rows.emplace_back();
    row = {one.data_set, one.labels_per_class, std::string(word_of(one.view))};
    if (counts_pairs) row.emplace_back(one.n_constraints.value_or(0));
    for (const std::string& name : facts.methods) {
      const auto found = std::ranges::find(one.methods, name, &MethodSummary::method);
      row.emplace_back(found == one.methods.end() ? kUndefined : found->mean);
    }
  }
  return data;
}

DataTable against_random_table(const Summary& summary) {
  DataTable data{.file = "against_random.csv",
                 .columns = {"method", "labels", "view", "wins", "data sets", "p"}};
  for (const Comparison& comparison : summary.comparisons)
    for (std::size_t m = 0; m < comparison.against_random.size(); ++m) {
      const SignTest& test = comparison.against_random[m];
      if (comparison.methods[m] == kRandomFeatures) continue;
      data.rows.push_back({comparison.methods[m], comparison.labels_per_class,
                           std::string(word_of(comparison.view)), test.wins, test.comparisons,
                           test.p_better});
    }
  return data;
}

/// The comparisons with one number of labels.
Html comparisons_html(const std::vector<const Comparison*>& views) {
  std::vector<Picture> pictures;
  Html tables;
  for (const Comparison* const view : views) {
    if (view->friedman) pictures.push_back(rank_picture(*view));
    if (!view->win_tie_loss.empty()) tables += versus_table(*view);
    for (const std::string& sentence : limits_of(*view)) tables += element("p", {}, sentence);
  }
  Html content = pictures.empty()
                     ? element("p", {}, "Average ranks need at least two data sets and methods.")
                     : pictures_html(pictures);
  content += tables;
  return content;
}

void add_comparisons(Page& page, const ExperimentFacts& facts, const Summary& summary) {
  if (summary.data_sets.empty()) return;
  Html content =
      sortable_table(accuracy_table(facts, summary),
                     "Accuracy: mean over all numbers of features and all runs.", kAllRows);
  std::map<Index, std::vector<const Comparison*>> by_labels;
  for (const Comparison& comparison : summary.comparisons)
    by_labels[comparison.labels_per_class].push_back(&comparison);
  for (const auto& [labels, views] : by_labels) {
    content += element("h3", {{"class", "part"}}, labels_words(facts, labels));
    content += comparisons_html(views);
  }
  const DataTable against_random = against_random_table(summary);
  if (!against_random.rows.empty())
    content += sortable_table(against_random,
                              "Data sets on which a method beats random features, ties shared, and "
                              "the chance p of so many between equals (sign test).",
                              kAllRows);
  page.add_section("Methods compared", content);
}

/// Accuracy against what methods were told, in each view, if they were told several things.
std::vector<Picture> supervision_pictures(const ExperimentFacts& facts,
                                          const std::vector<const DataSetSummary*>& summaries) {
  std::map<Viewpoint, std::vector<const DataSetSummary*>> by_view;
  for (const DataSetSummary* const summary : summaries) by_view[summary->view].push_back(summary);
  std::vector<Picture> pictures;
  for (const auto& [view, ascending] : by_view)
    if (ascending.size() > 1) pictures.push_back(supervision_picture(facts, ascending));
  return pictures;
}

/// One number of labels: accuracies by number of features, or of constraints.
std::vector<Picture> pictures_of(const ExperimentFacts& facts,
                                 const std::vector<const DataSetSummary*>& summaries) {
  std::vector<Picture> pictures;
  if (summaries.front()->n_constraints)
    pictures = supervision_pictures(facts, summaries);
  else
    for (const DataSetSummary* const view : summaries) {
      pictures.push_back(accuracy_picture(facts, *view));
      for (Picture& picture : option_pictures(facts, *view)) pictures.push_back(std::move(picture));
    }
  // Features, clusters and costs do not depend on the view; of constraints the most count.
  const DataSetSummary& one =
      summaries.front()->n_constraints ? *summaries.back() : *summaries.front();
  if (has_clusters(one)) pictures.push_back(cluster_picture(one));
  if (has_stability(one)) pictures.push_back(stability_picture(one));
  if (has_times(one)) pictures.push_back(time_picture(one));
  return pictures;
}

/// The summaries of each data set, by number of labels.
using ByLabels = std::map<Index, std::vector<const DataSetSummary*>>;

void add_data_set(Page& page, const ExperimentFacts& facts, const DataSetFacts& data,
                  const ByLabels& by_labels) {
  Html content = element(
      "p", {{"class", "lead"}},
      fmt::format(
          "{} × {}, {}: {}.", counted(data.rows, "row"), counted(data.features, "feature"),
          data.classes.size() == 1 ? "1 class" : fmt::format("{} classes", data.classes.size()),
          listed(data.classes)));
  if (by_labels.size() > 1 && !by_labels.begin()->second.front()->n_constraints) {
    std::vector<const DataSetSummary*> all;
    for (const auto& [labels, views] : by_labels) all.insert(all.end(), views.begin(), views.end());
    content += pictures_html(supervision_pictures(facts, all));
  }
  for (const auto& [labels, views] : by_labels) {
    content += element("h3", {{"class", "part"}}, labels_words(facts, labels));
    content += pictures_html(pictures_of(facts, views));
    content += sortable_table(method_table(views),
                              "Accuracy: mean over all numbers of features and runs. Chosen "
                              "features: the smallest number within one standard error of the "
                              "best; mean correlation and stability are those of so many "
                              "features. Memory: of the whole process so far.",
                              kAllRows);
  }
  page.add_section(data.name, content);
}

Html failures_html(const ExperimentResults& results) {
  DataTable data{.file = "failures.csv",
                 .columns = {"data set", "labels", "run", "method", "reason"}};
  for (const RunResult& run : results.runs)
    if (run.failure)
      data.rows.push_back({run.data_set, run.labels_per_class, run.run, run.method, *run.failure});
  if (data.rows.empty()) return element("p", {}, "No run failed.");
  return sortable_table(data, counted(std::ssize(data.rows), "run") + " without a ranking.",
                        kFailuresShown);
}

/// Each warning once, with its place.
std::vector<std::string> warnings_of(const ExperimentResults& results) {
  std::map<std::pair<std::string, std::string>, Index> counts;
  for (const RunResult& run : results.runs)
    for (const std::string& warning : run.warnings)
      ++counts[{fmt::format("{} on {}", run.method, run.data_set), warning}];
  std::vector<std::string> notes;
  for (const auto& [place, count] : counts)
    notes.push_back(fmt::format("{}: {} ({})", place.first, place.second, counted(count, "run")));
  return notes;
}

Html run_card(const ExperimentResults& results) {
  const ExperimentFacts& facts = results.facts;
  Entries entries{{"Command", element("code", {}, facts.command)},
                  {"Protocol", facts.protocol},
                  {"Settings", listed(facts.settings)},
                  {"Methods", fmt::format("{}", fmt::join(facts.methods, ", "))},
                  {"Seed", std::to_string(facts.seed)},
                  {"Version", "tamis " + facts.version},
                  {"Results", fmt::format("{} of a method on a split",
                                          counted(std::ssize(results.runs), "run"))}};
  for (const DataSetFacts& data : facts.data_sets)
    entries.emplace_back(data.name, fmt::format("{}, hash {}", data.file, data.hash));
  return entries_html(entries);
}

std::string title_of(const ExperimentFacts& facts) {
  std::vector<std::string> names;
  for (const DataSetFacts& data : facts.data_sets) names.push_back(data.name);
  return names.size() <= 3 ? fmt::format("Experiment on {}", enumerated(names))
                           : fmt::format("Experiment on {} data sets", names.size());
}

}  // namespace

std::string html_report(const ExperimentResults& results, const Summary& summary) {
  const ExperimentFacts& facts = results.facts;
  Page page(title_of(facts),
            fmt::format("{}, controls included; protocol {}.",
                        counted(std::ssize(facts.methods), "method"), facts.protocol));
  page.add_section("In short", findings_html(facts, summary));
  add_comparisons(page, facts, summary);
  for (const DataSetFacts& data : facts.data_sets) {
    ByLabels by_labels;
    for (const DataSetSummary& one : summary.data_sets)
      if (one.data_set == data.name) by_labels[one.labels_per_class].push_back(&one);
    if (!by_labels.empty()) add_data_set(page, facts, data, by_labels);
  }
  Html trouble = notes_html(warnings_of(results));
  trouble += failures_html(results);
  page.add_section("Failures and warnings", trouble);
  page.add_section("The run", run_card(results));
  return page.finished(facts.version);
}

}  // namespace tamis
