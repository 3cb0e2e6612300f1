#include "report/html_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/data_table.hpp"
#include "report/markup.hpp"
#include "report/sample_reports.hpp"

namespace tamis {
namespace {

using test::count_of;
using test::has;

std::string ranking_page(int features = 60) {
  return html_report(test::sample_facts(features), test::sample_ranking(features));
}

std::string experiment_page() {
  const ExperimentResults results = test::sample_results();
  return html_report(results, summarize(results));
}

TEST(DataTable, WritesNumbersExactlyAndWhatIsNoneAsSuch) {
  const DataTable data{.file = "a.csv",
                       .columns = {"name", "count", "value"},
                       .rows = {{"x", Index{3}, 0.1 + 0.2},
                                {"<y>", Index{-1}, kUndefined},
                                {"z", Index{0}, HUGE_VAL},
                                {"", Index{0}, 1e300}}};
  EXPECT_EQ(
      to_json(data),
      R"({"file":"a.csv","columns":["name","count","value"],"rows":[)"
      R"(["x",3,0.30000000000000004],["\u003cy\u003e",-1,null],["z",0,"inf"],["",0,1e+300]]})");
}

TEST(DataTable, ShowsTheFirstRowsAndKeepsAll) {
  DataTable data{.file = "a.csv", .columns = {"n"}};
  for (Index n = 0; n < 500; ++n) data.rows.push_back({n});
  const std::string table = sortable_table(data, "c", 200).markup();
  EXPECT_EQ(count_of("<tr>", table), 201);
  EXPECT_TRUE(has(table, "[499]"));
}

TEST(RankingReport, IsTheSameEveryTime) { EXPECT_EQ(ranking_page(), ranking_page()); }

TEST(RankingReport, HoldsEveryScoreExactly) {
  const Ranking ranking = test::sample_ranking(60);
  const std::string page = ranking_page();
  for (Index place = 0; place < 59; ++place)
    EXPECT_TRUE(has(page, fmt::format("[{},{},{},{},", place + 1,
                                      json_string(test::sample_facts(60).feature_names[place]),
                                      place, ranking.scores[place])))
        << place;
}

TEST(RankingReport, LetsNoNameBecomeMarkup) {
  const std::string page = ranking_page();
  EXPECT_EQ(count_of("<script>", page), 1) << "our own";
  EXPECT_EQ(count_of("<script type=\"application/json\"", page), 5);
  EXPECT_EQ(count_of("</script>", page), 6);
  EXPECT_FALSE(has(page, "<img"));
  EXPECT_FALSE(has(page, "<b>warning"));
}

TEST(RankingReport, ShowsHowManyFeaturesAreWorthItAndHowSureThatIs) {
  Ranking ranking = test::sample_ranking(60);
  RankingFacts facts = test::sample_facts(60);
  EXPECT_FALSE(has(html_report(facts, ranking), "steps.csv"));
  facts.judgement = "2 features add what chance would not";
  ranking.relevance = Relevance{.p = std::vector(60, 0.25),
                                .q = std::vector(60, 0.75),
                                .part = std::vector<std::optional<Part>>(60, Part::rest),
                                .step_p = {0.0625, 0.125, 0.5},
                                .n_backed = 2,
                                .n_relevant = 3};
  ranking.relevance->part[0] = Part::backed;
  const std::string page = html_report(facts, ranking);
  EXPECT_TRUE(has(page, "2 features add what chance would not."));
  EXPECT_TRUE(has(page, fmt::format("[3,{},0.5]", json_string(facts.feature_names[2]))));
  EXPECT_TRUE(has(page, "k = 2"));
  EXPECT_TRUE(has(page, "\"q\",\"part\""));
  EXPECT_TRUE(has(page, "0.75,\"backed\""));
  ranking.relevance->step_p.clear();
  EXPECT_FALSE(has(html_report(facts, ranking), "steps.csv")) << "nothing was chosen";
}

TEST(RankingReport, ShowsThirtyBarsAndTwoHundredRowsOfAWideTable) {
  const std::string page = ranking_page(7000);
  EXPECT_EQ(count_of("<tr>", page), 201);
  EXPECT_TRUE(has(page, "The first 200 of 7000 features"));
  EXPECT_TRUE(has(page, "gene_6999"));
  EXPECT_LT(page.size(), 1'500'000U);
}

TEST(RankingReport, SaysWhatWasRunAndWhatWasNoticed) {
  const std::string page = ranking_page();
  for (const char* const part :
       {"tamis rank cells.csv", "00112233445566ff", "9 of 120 rows: round (4)",
        "base = csfs, h = 20", "a &lt;b&gt;warning&lt;/b&gt; of the method",
        "1 feature has no defined score", "Coherence", "Left out by the method",
        "0.81 (95 % interval 0.70 to 0.92; Nogueira), 0.80 (Kuncheva)",
        "6 features kept, 3 removed"})
    EXPECT_TRUE(has(page, part)) << part;
}

TEST(RankingReport, LeavesOutWhatAPlainRankingHasNot) {
  const Ranking ranking = rank_features({3.0, 1.0, 2.0}, Better::higher, {}, "none");
  const std::string page =
      html_report(RankingFacts{.version = "1", .command = "c", .method = "variance"}, ranking);
  for (const char* const part : {"How sure", "Redundancy", "Constraints", "fate"})
    EXPECT_FALSE(has(page, part)) << part;
  EXPECT_TRUE(has(page, "[1,\"0\",3]")) << "columns without names have numbers";
}

TEST(RankingReport, ForbidsEverythingButItself) {
  const std::string page = ranking_page();
  EXPECT_TRUE(has(page, "default-src &#39;none&#39;; style-src &#39;sha256-"));
  EXPECT_FALSE(has(page, "unsafe"));
  EXPECT_FALSE(has(page, " style=")) << "the policy would ignore it";
  EXPECT_FALSE(has(page, "http://"));
  EXPECT_FALSE(has(page, "https://"));
}

TEST(ExperimentReport, IsTheSameEveryTime) { EXPECT_EQ(experiment_page(), experiment_page()); }

TEST(ExperimentReport, HoldsEveryNumberOfTheSummaryExactly) {
  const ExperimentResults results = test::sample_results();
  const Summary summary = summarize(results);
  const std::string page = html_report(results, summary);
  for (const DataSetSummary& one : summary.data_sets)
    for (const MethodSummary& method : one.methods) {
      const Curve& curve = method.curve;
      for (std::size_t i = 0; i < curve.lengths.size(); ++i)
        EXPECT_TRUE(has(page, fmt::format("[{},{},{},{},{},{}]", json_string(method.method),
                                          curve.lengths[i], curve.mean[i], curve.deviation[i],
                                          curve.runs, curve.one_error_choice)));
    }
  for (const Comparison& comparison : summary.comparisons)
    for (std::size_t m = 0; m < comparison.methods.size(); ++m)
      EXPECT_TRUE(has(page, fmt::format("[{},{},{},{}]", json_string(comparison.methods[m]),
                                        comparison.friedman->average_ranks[m],
                                        comparison.friedman->critical_difference_05,
                                        comparison.friedman->critical_difference_10)));
}

TEST(ExperimentReport, HasOneMarkPerMeanAndSoOn) {
  // Per data set and view five methods of 20 lengths and `all`; per data set four stabilities and
  // four times; per view six ranks.
  EXPECT_EQ(count_of("class=\"mark\"", experiment_page()), 3 * 2 * (5 * 20 + 1) + 3 * 8 + 2 * 6);
}

TEST(ExperimentReport, SaysPlainlyWhatIsNotShownToDifferFromRandom) {
  const std::string page = experiment_page();
  EXPECT_EQ(count_of("not shown to differ from random features.", page), 6);
  ExperimentResults results = test::sample_results();
  std::erase_if(results.runs, [](const RunResult& run) { return run.run > 0; });
  EXPECT_TRUE(has(html_report(results, summarize(results)), "One run cannot tell"));
}

TEST(ExperimentReport, ListsFailuresAndWarnings) {
  const std::string page = experiment_page();
  EXPECT_TRUE(has(page, "class &#39;b&#39; has one row: nothing to &lt;learn&gt;"));
  EXPECT_TRUE(has(page, "1 run without a ranking."));
  EXPECT_TRUE(has(page, "cls:n_neighbors=5 on wave: edges of weight 0 were dropped (2 runs)"));
}

TEST(ExperimentReport, SaysThatThereIsNothingYet) {
  const ExperimentResults results{.facts = test::sample_experiment_facts()};
  const std::string page = html_report(results, summarize(results));
  EXPECT_TRUE(has(page, "There are no results"));
  EXPECT_EQ(count_of("<figure>", page), 0);
}

}  // namespace
}  // namespace tamis
