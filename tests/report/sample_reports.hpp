#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "report/html_report.hpp"

/// Things to report, made by formula: for the tests of the library and of its pages.
namespace tamis::test {

/// Names that are not what a page hopes for.
inline const std::vector<std::string>& nasty_names() {
  static const std::vector<std::string> names{
      "<script>alert(1)</script>",
      "</script><script>window.hacked = true</script>",
      "\"quoted\" & 'single'",
      "two\nlines, and a comma",
      "separators \u2028 and \u2029",
      "<img src=x onerror=\"window.hacked = true\">",
      "a_very_long_feature_name_that_goes_on_and_on_beyond_any_reasonable_width",
      "遺伝子発現量の長い名前です"};
  return names;
}

inline RankingFacts sample_facts(int features) {
  RankingFacts facts{.version = "0.1.0",
                     .command = "tamis rank cells.csv --method csfsr --report 'my report.html'",
                     .seed = 7,
                     .method = "csfsr",
                     .title = "Selection with redundancy elimination",
                     .options = {{"base", std::string("csfs")}, {"h", Index{20}}},
                     .data = {.name = "cells",
                              .file = "cells.csv",
                              .hash = "00112233445566ff",
                              .rows = 120,
                              .features = features,
                              .classes = {{"round", 4}, {"</script>", 5}}},
                     .must_link = 16,
                     .cannot_link = 20,
                     .seconds = 0.125,
                     .peak_memory_bytes = 25'000'000};
  for (int r = 0; r < features; ++r)
    facts.feature_names.push_back(r < std::ssize(nasty_names()) ? nasty_names()[r]
                                                                : "gene_" + std::to_string(r));
  return facts;
}

/// Column r is in place r; the last one has no score. An ensemble, and redundant features.
inline Ranking sample_ranking(int features) {
  std::vector<double> scores;
  Committee committee{.members = 100};
  for (int r = 0; r < features; ++r) {
    scores.push_back(r + 1 < features ? 0.1 + 0.8 * std::sqrt(r / (1.0 * features)) : kUndefined);
    committee.draws.push_back(40 + r % 20);
    committee.mean.push_back(scores.back());
    committee.place.push_back(r + 1);
    committee.place_low.push_back(r + 1 < features ? std::max(1, r - r % 5) : kUndefined);
    committee.place_high.push_back(r + 1 < features ? r + 2 + r % 3 : kUndefined);
    committee.best_share.push_back(1.0 / (1.0 + 0.3 * r));
  }
  committee.stability = Stability{.sets = 10,
                                  .set_size = 5,
                                  .nogueira = 0.81,
                                  .nogueira_low = 0.7,
                                  .nogueira_high = 0.92,
                                  .kuncheva = 0.8};
  Redundancy redundancy{.rate = 0.11, .mean_abs_correlation = 0.22};
  for (int r = 1; r < std::min(features, 20); ++r)
    redundancy.tree.push_back({(r - 1) / 2, r, 1.0 - 0.03 * r});
  for (const int r : {3, 4, 8}) redundancy.removed.push_back({r, (r - 1) / 2, 1.0 - 0.03 * r});

  Ranking ranking = rank_features(scores, Better::lower, {}, "sample");
  ranking.diagnostics.warnings = {"a <b>warning</b> of the method"};
  ranking.diagnostics.edges = 600;
  ranking.diagnostics.figures = {{"coherence", 0.75}, {"clusters", 3.0}};
  ranking.diagnostics.dropped_constraints = 5;
  ranking.committee = committee;
  ranking.redundancy = redundancy;
  ranking.subset = std::vector<Index>{0, 1, 2, 5, 6, 7};
  return ranking;
}

inline ExperimentFacts sample_experiment_facts() {
  ExperimentFacts facts{
      .version = "0.1.0",
      .command = "tamis evaluate wave.csv cells.csv faces.mat --methods cls,fisher_score,weak",
      .seed = 3,
      .protocol = "tamis",
      .settings = {{"runs", Index{8}}, {"label_budget", std::string("per_class")}},
      .methods = {"cls:n_neighbors=5", "fisher_score", "weak<script>", "all", "random",
                  "variance"}};
  for (const std::string name : {"wave", "cells & <i>more</i>", "faces"})
    facts.data_sets.push_back({.name = name,
                               .file = name + ".csv",
                               .hash = "0123456789abcdef",
                               .rows = 150,
                               .features = 40,
                               .classes = {{"a", 50}, {"b", 60}, {"c", 40}}});
  return facts;
}

/// How method `m` did on data set `d` in a run: better with more features, up to a limit.
inline RunResult sample_run(const ExperimentFacts& facts, int d, int m, int run) {
  static const std::vector<double> limits{0.93, 0.88, 0.58, 0.8, 0.58, 0.72};
  static const std::vector<double> seconds{0.21, 0.004, 0.9, 0.0, 0.0, 0.0007};
  RunResult result{.data_set = facts.data_sets[d].name,
                   .labels_per_class = 3,
                   .run = run,
                   .method = facts.methods[m]};
  const bool is_all = result.method == kAllFeatures;
  for (int k = is_all ? 40 : 1; k <= (is_all ? 40 : 20); ++k) {
    result.lengths.push_back(k);
    result.mean_correlation.push_back(0.1 + 0.05 * m);
    if (!is_all && result.method != kRandomFeatures)
      result.features.push_back((k + (run * (m + 1)) % (m + 3)) % 40);
  }
  for (const Viewpoint view : {Viewpoint::transfer, Viewpoint::realistic}) {
    result.views.push_back({.view = view});
    const double limit = limits[m] - 0.05 * d - (view == Viewpoint::realistic ? 0.08 : 0.0);
    for (const Index length : result.lengths) {
      const auto k = static_cast<double>(length);
      const double noise = 0.03 * std::sin(2.3 * run + 0.1 * k + 2.1 * m + d);
      result.views.back().accuracy.push_back(limit - 0.35 * std::exp(-k / 4.0) + noise);
    }
    result.views.back().balanced_accuracy = result.views.back().accuracy;
  }
  result.cpu_seconds = result.wall_seconds = seconds[m] * (1.0 + 0.1 * run);
  result.peak_memory_bytes = 30'000'000 + 1'000'000 * m;
  if (m == 0 && run < 2) result.warnings = {"edges of weight 0 were dropped"};
  return result;
}

/// Three data sets, two views, six methods; one of them fails once, and one is no better than
/// random features.
inline ExperimentResults sample_results() {
  ExperimentResults results{.facts = sample_experiment_facts()};
  for (int d = 0; d < 3; ++d)
    for (int run = 0; run < 8; ++run)
      for (int m = 0; m < 6; ++m) {
        RunResult result = sample_run(results.facts, d, m, run);
        if (d == 2 && run == 5 && m == 1) {
          result = {.data_set = result.data_set,
                    .labels_per_class = 3,
                    .run = run,
                    .method = result.method};
          result.failure = "class 'b' has one row: nothing to <learn>";
        }
        results.runs.push_back(std::move(result));
      }
  return results;
}

/// The same experiment with so many constraints in place of labels, and clusters of test rows.
inline ExperimentResults sample_constraint_results() {
  ExperimentResults results{.facts = sample_experiment_facts()};
  for (const int constraints : {5, 10, 15})
    for (int run = 0; run < 4; ++run)
      for (int m = 0; m < 6; ++m) {
        RunResult result = sample_run(results.facts, 0, m, run);
        result.n_constraints = constraints;
        KmeansResult& kmeans = result.kmeans.emplace();
        for (double& accuracy : result.views[0].accuracy) {
          accuracy -= 0.1 / constraints;
          kmeans.rand.push_back(accuracy);
          kmeans.adjusted_rand.push_back(accuracy / 2.0);
          kmeans.nmi.push_back(accuracy / 4.0);
        }
        result.views.resize(1);
        results.runs.push_back(std::move(result));
      }
  return results;
}

/// The same experiment with several numbers of labels, and methods that differ in one option.
inline ExperimentResults sample_option_results() {
  ExperimentResults results{.facts = sample_experiment_facts()};
  results.facts.methods = {"sselect:eta=0.1", "sselect:eta=0.5", "sselect:eta=0.9", "all",
                           "random",          "variance"};
  for (const double eta : {0.1, 0.5, 0.9})
    results.facts.options.push_back(
        {.method = "sselect:eta=0." + std::to_string(std::lround(10.0 * eta)),
         .options = {{"eta", eta}, {"n_neighbors", Index{10}}}});
  for (const int labels : {3, 5})
    for (int run = 0; run < 4; ++run)
      for (int m = 0; m < 6; ++m) {
        results.runs.push_back(sample_run(results.facts, 0, m, run));
        results.runs.back().labels_per_class = labels;
      }
  return results;
}

/// A ranking by a method that clusters, of scores made of two terms, with rows to look at.
inline Ranking sample_clustering_ranking(int features) {
  Ranking ranking = sample_ranking(features);
  ranking.terms = {{{"graph_term", ranking.scores}, {"label_term", ranking.scores}}};
  ranking.iterations = std::vector<ClusterIteration>{
      {.objective = 9.5, .changed = 30, .must_link_violations = 4, .cannot_link_violations = 7},
      {.objective = 8.25, .changed = 3, .must_link_violations = 2, .cannot_link_violations = 0}};
  return ranking;
}
inline RankingFacts sample_plane_facts(int features) {
  RankingFacts facts = sample_facts(features);
  facts.plane = RowPlane{.x_column = 0,
                         .y_column = 1,
                         .groups = {{.name = "round", .rows = {{"<r1>", 0.5, 1.0}, {"r2", 1, 2}}},
                                    {.name = "no label", .rows = {{"r3", -1.5, 0.25}}}},
                         .must_link = {{{"<r1>", 0.5, 1.0}, {"r2", 1, 2}}},
                         .cannot_link = {{{"r2", 1, 2}, {"r3", -1.5, 0.25}}},
                         .caption = "All 3 rows."};
  return facts;
}

}  // namespace tamis::test
