#include "results/ranking_result.hpp"

#include <gtest/gtest.h>

#include "results/json_fields.hpp"

namespace tamis {
namespace {

/// With all that a ranking may have.
Ranking full_ranking() {
  return {
      .scores = {0.5, kUndefined, 0.25},
      .order = {2, 0, 1},
      .better = Better::higher,
      .subset = {{2}},
      .redundancy = Redundancy{.tree = {{0, 2, 0.75}},
                               .removed = {{.feature = 0, .because_of = 2, .correlation = 0.75}},
                               .rate = 0.5,
                               .mean_abs_correlation = 1.0},
      .committee = Committee{.members = 2,
                             .draws = {2, 0, 1},
                             .mean = {0.5, kUndefined, 0.25},
                             .place = {2, 3, 1},
                             .place_low = {1.0, kUndefined, 1.0},
                             .place_high = {2.0, kUndefined, 2.0},
                             .best_share = {1.0, kUndefined, 0.0},
                             .stability = Stability{.sets = 2, .set_size = 1}},
      .relevance = Relevance{.null = Null::table,
                             .fdr = 0.25,
                             .p = {0.5, kUndefined, 0.125},
                             .q = {0.5, kUndefined, 0.25},
                             .part = {Part::rest, std::nullopt, Part::backed},
                             .step_p = {0.125},
                             .n_backed = 1,
                             .n_relevant = 1},
      .path = SelectionPath{.features = {2, 0}, .criterion = {0.5, kUndefined}},
      .diversity = Diversity{.gain = {0.25, kUndefined, 0.5},
                             .nearest = {2, std::nullopt, std::nullopt},
                             .correlation = {0.75, kUndefined, kUndefined}},
      .diagnostics = {.undefined = {1},
                      .edges = 4,
                      .figures = {{"coherence", 0.5}},
                      .warnings = {"a warning"}}};
}

TEST(RankingJson, ReadsBackAsItWasWritten) {
  for (const Ranking& ranking :
       {full_ranking(), rank_features({3.0, 1.0}, Better::lower, {}, "none")}) {
    const std::string text = json_line(json_of(ranking));
    const auto read = read_json<Ranking>(Json::parse(text));
    EXPECT_EQ(json_line(json_of(read)), text);
    EXPECT_EQ(read.better, ranking.better);
    EXPECT_EQ(read.order, ranking.order);
    EXPECT_EQ(read.subset, ranking.subset);
    EXPECT_EQ(read.committee.has_value(), ranking.committee.has_value());
    EXPECT_EQ(read.path.has_value(), ranking.path.has_value());
    EXPECT_EQ(read.diagnostics.figures, ranking.diagnostics.figures);
  }
}

TEST(RankingResult, IsAnObjectOfItsSchema) {
  RankingResult result{.version = "1.2.3",
                       .task = {.method = "csfsr",
                                .options = {{"h", Index{2}}},
                                .diversify = {{{"n_candidates", Index{9}}}},
                                .seed = 7,
                                .data = {.format = "array", .rows = 4, .precision = "double"}},
                       .names = {"a", "b", "c"},
                       .ranking = full_ranking(),
                       .selected = {{2, 0}},
                       .seconds = 0.5,
                       .peak_memory_bytes = 1000};
  EXPECT_EQ(
      json_line(result),
      R"({"schema":"tamis/ranking/1","version":"1.2.3","method":"csfsr","options":{"h":2},)"
      R"("bagging":null,"diversify":{"n_candidates":9},"seed":7,"data":{"file":null,)"
      R"("format":"array","rows":4,"features":0,"labeled":0,"classes":0,"targets":0,"must_link":0,)"
      R"("cannot_link":0,"sparse":false,"precision":"double","scale":"none"},"better":"higher",)"
      R"("names":["a","b","c"],"scores":[0.5,null,0.25],"order":[2,0,1],"selected":[2,0],)"
      R"("committee":{"members":2,"draws":[2,0,1],"mean":[0.5,null,0.25],)"
      R"("place":[2,3,1],"place_low":[1.0,null,1.0],"place_high":[2.0,null,2.0],)"
      R"("best_share":[1.0,null,0.0],"stability":{"sets":2,)"
      R"("set_size":1,"nogueira":0.0,"nogueira_low":0.0,"nogueira_high":0.0,"kuncheva":0.0}},)"
      R"("redundancy":{"tree":[[0,2,0.75]],"removed":[{"feature":0,"because_of":2,)"
      R"("correlation":0.75}],"rate":0.5,"mean_abs_correlation":1.0},"relevance":{"null":"table",)"
      R"("fdr":0.25,"p":[0.5,null,0.125],"q":[0.5,null,0.25],"part":["rest",null,"backed"],)"
      R"("step_p":[0.125],"n_backed":1,"n_relevant":1,"label_p":null},)"
      R"("path":{"features":[2,0],"criterion":[0.5,null]},)"
      R"("diversity":{"gain":[0.25,null,0.5],"nearest":[2,null,null],)"
      R"("correlation":[0.75,null,null]},"diagnostics":{"undefined":[1],"converged":true,)"
      R"("iterations":0,"edges":4,"effective_edges":null,"dropped_constraints":0,)"
      R"("figures":{"coherence":0.5},"warnings":["a warning"]},"seconds":0.5,)"
      R"("peak_memory_bytes":1000})"
      "\n");
  result.ranking = rank_features({1.0}, Better::lower, {}, "none");
  EXPECT_FALSE(json_of(result).contains("committee"));
  EXPECT_TRUE(json_of(result).at("diagnostics").at("edges").is_null());
}

}  // namespace
}  // namespace tamis
