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

TEST(RankingReport, ShowsTermsIterationsAndRowsIfThereAreAny) {
  const std::string plain = ranking_page();
  for (const char* const file : {"terms.csv", "convergence.csv", "violations.csv", "rows.csv"})
    EXPECT_FALSE(has(plain, file));
  const Ranking ranking = test::sample_clustering_ranking(60);
  const std::string page = html_report(test::sample_plane_facts(60), ranking);
  EXPECT_TRUE(has(page, "[1,9.5,30],[2,8.25,3]"));
  EXPECT_TRUE(has(page, R"(["must-links",1,4],["must-links",2,2],["cannot-links",1,7])"));
  EXPECT_TRUE(has(page, R"(["both",1,11],["both",2,2])"));
  EXPECT_TRUE(has(page, fmt::format(R"(["graph_term",1,{},{}])",
                                    json_string(test::nasty_names()[0]), ranking.scores[0])));
  EXPECT_TRUE(has(page, R"(["\u003cr1\u003e","round",0.5,1],["r2","round",1,2])"));
  EXPECT_TRUE(has(page, ">cannot-links<") && has(page, "All 3 rows."));
}

TEST(RankingReport, SortsTermsAndShowsManyPlacesEvenly) {
  Ranking ranking = rank_features(std::vector<double>(1000, 1.0), Better::lower, {}, "none");
  std::vector<double> values(1000);
  for (int r = 0; r < 1000; ++r) values[r] = (r * 7) % 1000;
  values[0] = kUndefined;
  ranking.terms = {{{"term", values}}};
  const std::string page =
      html_report(RankingFacts{.version = "1", .command = "c", .method = "m"}, ranking);
  EXPECT_TRUE(has(page, R"(["term",1,"143",1])"));
  EXPECT_TRUE(has(page, R"(["term",999,"857",999])"));
  EXPECT_EQ(count_of("[\"term\",", page), 1 + 200) << "the names of columns, and the places";
}

TEST(RowPlane, HasRowsByClassAndTheirPairsAlongTheTwoBestFeatures) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  Problem problem{.matrix = DenseView<double>(values.data(), 4, 3),
                  .feature_names = {"a", "b", "c"},
                  .known = {.labels = {1, kUnlabeled, 0, 1}, .class_names = {"no", "yes"}}};
  problem.known.pairs = PairConstraints{.cannot_link = {{1, 2}}};
  const Ranking ranking = rank_features({2.0, kUndefined, 1.0}, Better::lower, {}, "none");
  const auto plane = row_plane(problem, ranking);
  ASSERT_TRUE(plane);
  EXPECT_EQ(plane->x_column, 2);
  EXPECT_EQ(plane->y_column, 0);
  ASSERT_EQ(plane->groups.size(), 3U);
  EXPECT_EQ(plane->groups[0].name, "no");
  EXPECT_EQ(plane->groups[1].rows.size(), 2U);
  EXPECT_EQ(plane->groups[1].rows[1].x, 12.0);
  EXPECT_EQ(plane->groups[1].rows[1].y, 10.0);
  EXPECT_EQ(plane->groups[2].name, "no label");
  EXPECT_EQ(plane->must_link.size(), 1U);
  EXPECT_EQ(plane->cannot_link.size(), 3U) << "the given one, and those of labels";
  EXPECT_EQ(plane->cannot_link[0].to.x, 9.0);
  EXPECT_EQ(plane->caption,
            "All 4 rows. Lines join must-linked rows, dashed ones cannot-linked rows.");
  problem.known = {};
  EXPECT_FALSE(row_plane(problem, ranking)) << "nothing is known of any row";
}

TEST(RowPlane, OfManyRowsHasThoseThatAreKnown) {
  const std::vector<double> values(4000, 1.0);
  Problem problem{.matrix = DenseView<double>(values.data(), 2000, 2),
                  .known = {.labels = std::vector<Index>(2000, kUnlabeled)}};
  problem.known.labels[1234] = 0;
  problem.known.pairs = PairConstraints{.must_link = {{7, 1999}}};
  const auto plane = row_plane(problem, rank_features({1.0, 2.0}, Better::lower, {}, "none"));
  ASSERT_TRUE(plane);
  EXPECT_EQ(plane->groups[0].rows[0].name, "1234");
  EXPECT_EQ(plane->groups[0].rows.size() + plane->groups[1].rows.size(), 500U);
  EXPECT_EQ(plane->must_link[0].to.name, "1999");
  EXPECT_TRUE(plane->caption.starts_with("500 of 2000 rows."));
  problem.known.labels.assign(2000, 0);
  const auto labeled = row_plane(problem, rank_features({1.0, 2.0}, Better::lower, {}, "none"));
  EXPECT_EQ(labeled->must_link.size(), 1U) << "labels imply too many";
}

TEST(ExperimentReport, ShowsAccuracyAgainstTheNumberOfConstraints) {
  const ExperimentResults results = test::sample_constraint_results();
  const Summary summary = summarize(results);
  const std::string page = html_report(results, summary);
  EXPECT_TRUE(has(page, "accuracy-by-constraints-wave-3-transfer.csv"));
  EXPECT_FALSE(has(page, "accuracy-wave-3")) << "one number of features needs no curve";
  for (const DataSetSummary& one : summary.data_sets)
    for (const MethodSummary& method : one.methods)
      EXPECT_TRUE(has(page, fmt::format("[{},{},{},{},4]", json_string(method.method),
                                        *one.n_constraints, method.mean, method.deviation)));
  const KmeansSummary& kmeans = *summary.data_sets[2].methods[0].kmeans;
  EXPECT_TRUE(has(page, "clusters-wave-3-15-transfer.csv"));
  EXPECT_TRUE(has(page, fmt::format("[\"cls:n_neighbors=5\",1,{},{},{},{}]",
                                    kmeans.adjusted_rand.mean_by_length[0],
                                    kmeans.adjusted_rand.deviation_by_length[0],
                                    kmeans.rand.mean_by_length[0], kmeans.nmi.mean_by_length[0])));
}

TEST(ExperimentReport, ShowsAccuracyAgainstLabelsAndAgainstAnOption) {
  const ExperimentResults results = test::sample_option_results();
  const Summary summary = summarize(results);
  const std::string page = html_report(results, summary);
  EXPECT_TRUE(has(page, "accuracy-by-labels-wave-transfer.csv"));
  EXPECT_TRUE(has(page, "accuracy-by-eta-wave-3-transfer.csv"));
  EXPECT_FALSE(has(page, "accuracy-by-n_neighbors")) << "all have the same";
  const MethodSummary& half = summary.data_sets[0].methods[1];
  EXPECT_TRUE(
      has(page, fmt::format("[\"sselect:eta=0.5\",0.5,{},{},4]", half.mean, half.deviation)));
  EXPECT_FALSE(has(experiment_page(), "accuracy-by-")) << "one number of labels, no family";
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
