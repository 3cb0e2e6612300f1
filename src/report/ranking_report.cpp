#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "report/html_report.hpp"
#include "report/page.hpp"
#include "report/ranking_pictures.hpp"
#include "report/text.hpp"
#include "results/relevance_text.hpp"

namespace tamis {
namespace {

constexpr Index kTableRows = 200;
constexpr std::string_view kCoherence = "coherence";  // among the figures of methods that know it

Index labeled_rows_of(const RankingFacts& facts) {
  Index labeled = 0;
  for (const auto& [name, rows] : facts.data.classes) labeled += rows;
  return labeled;
}

std::string known_text(const RankingFacts& facts) {
  const Index labeled = labeled_rows_of(facts);
  return labeled == 0 && facts.targets > 0 ? fmt::format("a numeric target in {}", facts.targets)
                                           : fmt::format("{} labeled", labeled);
}

Html labels_text(const RankingFacts& facts) {
  if (facts.data.classes.empty()) return "none";
  return fmt::format("{} of {}: {}", labeled_rows_of(facts), counted(facts.data.rows, "row"),
                     listed(facts.data.classes));
}

Html run_card(const RankingFacts& facts) {
  Entries entries{{"Command", element("code", {}, facts.command)},
                  {"Method", fmt::format("{}{}{}", facts.method, facts.title.empty() ? "" : ": ",
                                         facts.title)}};
  if (!facts.options.empty()) entries.emplace_back("Options", listed(facts.options));
  entries.emplace_back("Table",
                       fmt::format("{}: {} × {}", facts.data.file, counted(facts.data.rows, "row"),
                                   counted(facts.data.features, "feature")));
  if (!facts.data.hash.empty()) entries.emplace_back("Hash of the data", facts.data.hash);
  if (facts.targets > 0)
    entries.emplace_back("Numeric target",
                         fmt::format("{} of {}", facts.targets, counted(facts.data.rows, "row")));
  if (facts.targets == 0 || !facts.data.classes.empty())
    entries.emplace_back("Labels", labels_text(facts));
  if (facts.must_link + facts.cannot_link > 0)
    entries.emplace_back(
        "Pairs", fmt::format("{} must-link, {} cannot-link", facts.must_link, facts.cannot_link));
  entries.emplace_back("Seed", std::to_string(facts.seed));
  entries.emplace_back("Version", "tamis " + facts.version);
  entries.emplace_back("Cost", fmt::format("{} s, at most {}", for_people(facts.seconds),
                                           megabytes(facts.peak_memory_bytes)));
  return entries_html(entries);
}

std::vector<std::string> notes_of(const Ranking& ranking) {
  const Diagnostics& seen = ranking.diagnostics;
  std::vector<std::string> notes = seen.warnings;
  if (!seen.converged)
    notes.push_back(fmt::format("Not converged after {}.", counted(seen.iterations, "iteration")));
  if (!seen.undefined.empty())
    notes.push_back(fmt::format("{} no defined score and {} last.",
                                counted(std::ssize(seen.undefined), "feature") +
                                    (seen.undefined.size() == 1 ? " has" : " have"),
                                seen.undefined.size() == 1 ? "comes" : "come"));
  return notes;
}

Html stability_text(const Committee& committee) {
  std::string text =
      fmt::format("{} ranked random parts of the data.", counted(committee.members, "member"));
  if (!committee.stability) return element("p", {}, text);
  const Stability& seen = *committee.stability;
  text += fmt::format(
      " Stability of the {} best over {} parts of the ensemble: {:.2f} (95 % interval {:.2f} to "
      "{:.2f}; Nogueira)",
      seen.set_size, seen.sets, seen.nogueira, seen.nogueira_low, seen.nogueira_high);
  if (!std::isnan(seen.kuncheva)) text += fmt::format(", {:.2f} (Kuncheva)", seen.kuncheva);
  return element("p", {}, text + ". 1 is always the same set, 0 is chance.");
}

Html redundancy_text(const Ranking& ranking) {
  const Redundancy& redundancy = *ranking.redundancy;
  return element(
      "p", {},
      fmt::format("{} kept, {} removed; mean |ρ| of the kept {:.3f}, redundancy rate "
                  "{:.3f}.",
                  counted(ranking.subset ? std::ssize(*ranking.subset) : 0, "feature"),
                  redundancy.removed.size(), redundancy.mean_abs_correlation, redundancy.rate));
}

Entries constraint_entries(const RankingFacts& facts, const Diagnostics& seen) {
  Entries entries;
  if (facts.must_link + facts.cannot_link == 0 && seen.dropped_constraints == 0) return entries;
  entries.emplace_back("Must-link", std::to_string(facts.must_link));
  entries.emplace_back("Cannot-link", std::to_string(facts.cannot_link));
  entries.emplace_back("Left out by the method", std::to_string(seen.dropped_constraints));
  for (const auto& [name, value] : seen.figures)
    if (name == kCoherence) entries.emplace_back("Coherence", for_people(value));
  entries.emplace_back("Contradictions", "none: a contradictory set is refused before it is used");
  return entries;
}

Entries diagnostic_entries(const Diagnostics& seen) {
  Entries entries;
  if (seen.iterations > 0) entries.emplace_back("Iterations", std::to_string(seen.iterations));
  if (seen.edges) entries.emplace_back("Edges of the graph", std::to_string(*seen.edges));
  if (seen.effective_edges)
    entries.emplace_back("Effective edges", for_people(*seen.effective_edges));
  for (const auto& [name, value] : seen.figures) {
    if (name == kCoherence) continue;
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    entries.emplace_back(words, for_people(value));
  }
  return entries;
}

void add_findings(Page& page, const RankingFacts& facts, const Ranking& ranking) {
  if (ranking.committee) {
    Html content = stability_text(*ranking.committee);
    if (ranking.committee->has_intervals())
      content += pictures_html({place_picture(facts, ranking), best_share_picture(facts, ranking)});
    else
      content += picture_html(best_share_picture(facts, ranking));
    page.add_section("How sure", content);
  }
  if (ranking.relevance) {
    Html content = element("p", {}, facts.judgement + ".");
    if (!ranking.relevance->step_p.empty()) content += picture_html(step_picture(facts, ranking));
    page.add_section("How many", content);
  }
  if (ranking.redundancy) {
    Html content = redundancy_text(ranking);
    content += picture_html(redundancy_picture(facts, ranking));
    page.add_section("Redundancy", content);
  }
  if (ranking.terms) page.add_section("Terms", picture_html(term_picture(facts, ranking)));
  if (ranking.iterations)
    page.add_section("Convergence",
                     pictures_html({convergence_picture(ranking), violation_picture(ranking)}));
  if (facts.plane) page.add_section("Rows and pairs", picture_html(plane_picture(facts)));
  const Entries constraints = constraint_entries(facts, ranking.diagnostics);
  if (!constraints.empty()) page.add_section("Constraints", entries_html(constraints));
  const Entries diagnostics = diagnostic_entries(ranking.diagnostics);
  if (!diagnostics.empty()) page.add_section("What the method noticed", entries_html(diagnostics));
}

Html caption_of_all(const RankingFacts& facts, const Ranking& ranking) {
  const Index all = std::ssize(ranking.order);
  if (all <= kTableRows) return fmt::format("All {}.", counted(all, "feature"));
  const Index held = features_on_page(all);
  const std::string shown = fmt::format("The first {} of {} features; ", kTableRows, all);
  if (held == all) return shown + "the CSV file has all.";
  return fmt::format(
      "{}the CSV file has the first {}, as all would make the page too long{}.", shown, held,
      facts.every_feature.empty()
          ? ""
          : fmt::format(". {} beside this page lists them all", facts.every_feature));
}

}  // namespace

RankingFacts ranking_facts(const RankingResult& result, std::string command, std::string_view title,
                           DataSetFacts data) {
  const RankingTask& task = result.task;
  RankingFacts facts{.version = result.version,
                     .command = std::move(command),
                     .seed = task.seed,
                     .method = task.method,
                     .title = std::string(title),
                     .options = task.options,
                     .data = std::move(data),
                     .feature_names = result.names,
                     .targets = task.data.targets,
                     .must_link = task.data.must_link,
                     .cannot_link = task.data.cannot_link,
                     .seconds = result.seconds,
                     .peak_memory_bytes = result.peak_memory_bytes};
  if (task.bagging)
    for (const auto& [name, value] : *task.bagging)
      facts.options.emplace_back("bagging " + name, value);
  if (task.diversify) facts.options.emplace_back("diversify", task.diversify->front().second);
  if (result.ranking.relevance)
    facts.judgement = relevance_text(result.task, *result.ranking.relevance);
  return facts;
}

std::string html_report(const RankingFacts& facts, const Ranking& ranking) {
  Page page(fmt::format("{} ranked by {}", facts.data.name, facts.method),
            fmt::format("{} × {}, {}. {} scores are better.", counted(facts.data.rows, "row"),
                        counted(facts.data.features, "feature"), known_text(facts),
                        ranking.better == Better::lower ? "Lower" : "Higher"));
  Html scores = notes_html(notes_of(ranking));
  scores += element("div", {{"class", "charts"}}, picture_html(score_picture(facts, ranking)),
                    run_card(facts));
  page.add_section("Best features, and the run", scores);
  add_findings(page, facts, ranking);
  page.add_section("All features", sortable_table(ranking_table(facts, ranking),
                                                  caption_of_all(facts, ranking), kTableRows));

  return page.finished(facts.version);
}

}  // namespace tamis
