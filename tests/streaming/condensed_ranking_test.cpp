#include "streaming/condensed_ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "streaming/streamed_ranking.hpp"
#include "streaming/streaming_support.hpp"
#include "support/message_of.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis {
namespace {

using namespace test;

Sample few_labels(Index rows) {
  Sample sample = blobs(rows, 6, /*per_class=*/rows, 1);
  for (Index i = 0; i < rows; ++i) {
    if (i % 10 != 0) sample.labels[i] = kUnlabeled;
    sample.x(i, 4) = 0.1;
  }
  return sample;
}

RankingPlan condensed_plan(const Method& method) {
  return completed({.method = &method, .options = {{"condense", "som"}, {"units", "12"}}});
}

TEST(CondensedRanking, IsThatOfAMapInMemoryIfAllRowsAreInTheSample) {
  const StoredSample stored(few_labels(150));
  const Problem& problem = stored.problem();
  Index methods_seen = 0;
  for (const Method& method : methods()) {
    if (method.info.streams != Streams::condensed) continue;
    ++methods_seen;
    SCOPED_TRACE(method.info.name);
    const RankingPlan plan = condensed_plan(method);
    const Ranking expected = plan.rank(problem);
    const Ranking found =
        converse(*streamed_ranking(plan, streamed(problem)), problem.matrix, 4, /*seed=*/2);
    EXPECT_EQ(found.order, expected.order);
    EXPECT_EQ(found.diagnostics.undefined, expected.diagnostics.undefined);
    ASSERT_EQ(found.diagnostics.figures.size(), expected.diagnostics.figures.size());
    for (std::size_t f = 0; f < found.diagnostics.figures.size(); ++f) {
      EXPECT_EQ(found.diagnostics.figures[f].first, expected.diagnostics.figures[f].first);
      EXPECT_NEAR(found.diagnostics.figures[f].second, expected.diagnostics.figures[f].second,
                  1e-6);
    }
    for (Index r = 0; r < 6; ++r)
      if (r != 4) {
        EXPECT_NEAR(found.scores[r], expected.scores[r], 1e-6);
      }
  }
  EXPECT_GT(methods_seen, 5);
}

TEST(CondensedRanking, HasTheSameBitsHoweverRowsAreSplit) {
  const StoredSample stored(few_labels(3000));
  const Problem& problem = stored.problem();
  const RankingPlan plan = condensed_plan(find_method("laplacian_score"));
  const auto scores = [&](Index pieces, std::uint64_t seed) {
    return converse(*streamed_ranking(plan, streamed(problem)), problem.matrix, pieces, seed)
        .scores;
  };
  const std::vector<double> whole = scores(1, 1);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const std::vector<double> split = scores(5, seed);
    for (Index r = 0; r < 6; ++r)
      if (r != 4) {
        EXPECT_EQ(split[r], whole[r]);
      }
  }
}

TEST(CondensedRanking, ReadsALargeTableFourTimes) {
  const StreamedProblem problem{.rows = 10'000'000, .cols = 100};
  const CondensedRanking ranking(condensed_plan(find_method("cls")), problem, 0);
  std::vector<std::string> kinds;
  for (const PassPlan& pass : ranking.passes()) kinds.push_back(pass.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"rows", "centers", "centers", "centers"}));
}

TEST(CondensedRanking, NeedsRowsOfWhichNothingIsKnown) {
  const StoredSample stored(blobs(30, 4, 10, 1));
  EXPECT_EQ(message_of<DataError>([&] {
              streamed_ranking(condensed_plan(find_method("cls")), streamed(stored.problem()));
            }),
            "0 of 30 rows have neither label nor pair, and a map in their place needs 4");
}

}  // namespace
}  // namespace tamis
