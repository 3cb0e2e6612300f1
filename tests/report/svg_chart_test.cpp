#include "report/svg_chart.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/markup.hpp"

namespace tamis {
namespace {

using test::count_of;
using test::has;

LineChart two_lines() {
  return {.description = "what <it> shows",
          .x_title = "number of features",
          .y_title = "accuracy",
          .lines = {
              {.name = "a", .marks = {{1, 0.5, 0.1}, {2, 0.6, 0.1}, {3, 0.7, 0.0}}, .chosen = 2.0},
              {.name = "all", .marks = {{40, 0.6, 0.0}}, .is_control = true, .is_level = true}}};
}

TEST(LineChart, HasOneMarkPerDatumAndOneRingPerChoice) {
  const std::string svg = draw(two_lines()).markup();
  EXPECT_EQ(count_of("class=\"mark\"", svg), 4);
  EXPECT_EQ(count_of("class=\"chosen\"", svg), 1);
  EXPECT_EQ(count_of("class=\"band\"", svg), 1);
  EXPECT_EQ(count_of("class=\"stroke\"", svg), 2);
  EXPECT_TRUE(has(svg, "aria-label=\"what &lt;it&gt; shows\""));
}

TEST(LineChart, LetsALevelReachAcrossWithoutStretchingTheAxis) {
  const std::string svg = draw(two_lines()).markup();
  EXPECT_TRUE(has(svg, ">3</text>"));
  EXPECT_FALSE(has(svg, ">40</text>"));
}

TEST(LineChart, PutsWhatHasNoLogarithmAtTheLowerEnd) {
  const LineChart chart{
      .description = "gains",
      .spacing = Spacing::logarithmic,
      .lines = {{.name = "a", .marks = {{.x = 1, .y = 100}, {.x = 2, .y = 1}, {.x = 3, .y = 0}}}}};
  const std::string markup = draw(chart).markup();
  EXPECT_EQ(count_of("class=\"mark\"", markup), 3);
  EXPECT_TRUE(has(markup, ">100<") && has(markup, ">10<") && has(markup, ">1<"));
  EXPECT_FALSE(has(markup, "nan") || has(markup, "inf"));
}

TEST(LineChart, HasFractionsOnItsAxisUnlessItCounts) {
  LineChart chart{.description = "values", .lines = {{.name = "a", .marks = {{0.1, 1}, {0.9, 2}}}}};
  EXPECT_FALSE(has(draw(chart).markup(), ">0.4</text>"));
  chart.counts = false;
  EXPECT_TRUE(has(draw(chart).markup(), ">0.4</text>"));
}

TEST(ScatterChart, HasAMarkForEachPointAndALineForEachLink) {
  const ScatterChart chart{
      .description = "rows <in> a plane",
      .x_title = "first",
      .y_title = "second",
      .groups = {{.marks = {{0, 0}, {1, 2}}}, {.marks = {{-1, 5}}}},
      .links = {{.ends = {{{0, 0}, {1, 2}}}}, {.is_dashed = true, .ends = {{{0, 0}, {-1, 5}}}}}};
  const std::string svg = draw(chart).markup();
  EXPECT_EQ(count_of("class=\"mark\"", svg), 3);
  EXPECT_EQ(count_of("class=\"stroke\"", svg), 2);
  EXPECT_EQ(count_of("class=\"line tone3 control\" data-line=\"3\"", svg), 1);
  EXPECT_TRUE(has(svg, "aria-label=\"rows &lt;in&gt; a plane\""));
  EXPECT_TRUE(has(svg, ">first</text>") && has(svg, ">second</text>"));
  EXPECT_EQ(count_of("class=\"mark\"", draw(ScatterChart{.description = "none"}).markup()), 0);
}

TEST(LineChart, DrawsAxesWithoutAnyData) {
  EXPECT_EQ(count_of("class=\"mark\"", draw(LineChart{.description = "none"}).markup()), 0);
}

TEST(RowChart, HasOneMarkPerRowAlsoForUndefinedAndInfiniteValues) {
  const RowChart chart{.description = "rows",
                       .rows = {{.label = "a", .value = 1.0},
                                {.label = "b", .value = kNoValue},
                                {.label = "c", .value = HUGE_VAL},
                                {.label = "d", .value = -2.0}}};
  const std::string svg = draw(chart).markup();
  EXPECT_EQ(count_of("class=\"mark\"", svg), 4);
  EXPECT_FALSE(has(svg, "nan"));
  EXPECT_TRUE(has(svg, ">inf</text>"));
  EXPECT_TRUE(has(svg, ">–</text>"));
}

TEST(RowChart, FillsTheWidthFromTheWorstToTheBestOfAnAxisThatRunsDown) {
  const RowChart chart{.description = "rows",
                       .first = 0.9,
                       .last = 0.1,
                       .rows = {{.label = "best", .value = 0.1}, {.label = "half", .value = 0.5}}};
  const std::string svg = draw(chart).markup();
  EXPECT_TRUE(has(svg, "x=\"158\" y=\"12\" width=\"234\""));
  EXPECT_TRUE(has(svg, "width=\"117\""));
}

TEST(RowChart, LeavesOutNumbersThatWouldTouch) {
  const RowChart chart{.description = "rows",
                       .first = 0.98151,
                       .last = 0.98155,
                       .rows = {{.label = "a", .value = 0.98153}}};
  const std::string svg = draw(chart).markup();
  EXPECT_EQ(count_of("class=\"grid\"", svg), 5);
  EXPECT_EQ(count_of("class=\"tick\"", svg), 3);
}

TEST(RowChart, ShortensLongNamesByWidthNotByBytes) {
  const RowChart chart{.description = "rows",
                       .rows = {{.label = std::string(80, 'i'), .value = 1.0},
                                {.label = std::string(80, 'W'), .value = 1.0},
                                {.label = "遺伝子発現量の長い名前です", .value = 1.0}}};
  const std::string svg = draw(chart).markup();
  EXPECT_TRUE(has(svg, std::string(20, 'i')));
  EXPECT_FALSE(has(svg, std::string(11, 'W')));
  EXPECT_TRUE(has(svg, "遺伝子発現量の長い…"));
}

RankDiagram diagram_of(const std::vector<double>& ranks, double critical_difference) {
  RankDiagram diagram{.description = "ranks", .critical_difference = critical_difference};
  for (const double rank : ranks) diagram.methods.push_back({"m", rank});
  return diagram;
}

TEST(RankDiagram, JoinsTheLongestRunsThatCannotBeToldApart) {
  using Groups = std::vector<std::pair<Index, Index>>;
  EXPECT_EQ(groups_of_equals(diagram_of({1.0, 1.5, 2.2, 4.0, 4.5}, 1.0)),
            (Groups{{0, 1}, {1, 2}, {3, 4}}));
  EXPECT_EQ(groups_of_equals(diagram_of({1.0, 2.0, 3.0}, 0.5)), Groups{});
  EXPECT_EQ(groups_of_equals(diagram_of({1.0, 2.0, 3.0}, 9.0)), (Groups{{0, 2}}));
}

TEST(RankDiagram, HasOneMarkPerMethodAndOneBarPerGroup) {
  const std::string svg = draw(diagram_of({1.0, 1.5, 2.2, 4.0, 4.5}, 1.0)).markup();
  EXPECT_EQ(count_of("class=\"mark\"", svg), 5);
  EXPECT_EQ(count_of("class=\"group\"", svg), 3);
  EXPECT_TRUE(has(svg, "critical difference 1.00"));
}

TEST(TreeChart, HasOneMarkPerNodeAndOneEdgePerChild) {
  const TreeChart chart{.description = "tree",
                        .nodes = {{.label = "root"},
                                  {.label = "child",
                                   .note = "a <note>",
                                   .parent = 0,
                                   .strength = 0.9,
                                   .is_filled = false,
                                   .has_strong_edge = true},
                                  {.label = "grandchild", .parent = 1, .strength = 0.5},
                                  {.label = "another root"}}};
  const std::string svg = draw(chart).markup();
  EXPECT_EQ(count_of("class=\"mark ", svg), 4);
  EXPECT_EQ(count_of("class=\"mark gone\"", svg), 1);
  EXPECT_EQ(count_of("class=\"edge", svg), 2);
  EXPECT_EQ(count_of("class=\"edge strong\"", svg), 1);
  EXPECT_TRUE(has(svg, "a &lt;note&gt;"));
}

TEST(TreeChart, KeepsADeepTreeWithinThePicture) {
  TreeChart chart{.description = "path", .nodes = {{.label = "0"}}};
  for (Index i = 1; i < 90; ++i) chart.nodes.push_back({.label = "n", .parent = i - 1});
  const std::string svg = draw(chart).markup();
  EXPECT_TRUE(has(svg, "cx=\"180\"")) << "the deepest node leaves 300 units for its text";
}

}  // namespace
}  // namespace tamis
