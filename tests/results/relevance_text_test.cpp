#include "results/relevance_text.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

TEST(RelevanceText, SaysHowManyFeaturesAreWorthIt) {
  RankingTask task{.options = {{"n_greedy", Index{50}}}};
  Relevance relevance{.fdr = 0.1, .n_backed = 12, .n_relevant = 310, .label_p = 0.001};
  EXPECT_EQ(relevance_text(task, relevance),
            "12 features add what chance would not; 310 have to do with the labels or with other "
            "columns (q ≤ 0.1)");
  relevance.null = Null::labels;
  relevance.n_backed = 50;
  relevance.n_relevant = 1;
  EXPECT_EQ(
      relevance_text(task, relevance),
      "at least 50 features add what chance would not; 1 has to do with the labels (q ≤ 0.1)");
  task.diversify = {{"n_candidates", Index{200}}};
  relevance.n_backed = 1;
  EXPECT_EQ(relevance_text(task, relevance),
            "1 feature adds what chance would not; 1 has to do with the labels (q ≤ 0.1)");
}

TEST(RelevanceText, SaysWhatWasKnown) {
  RankingTask task{.options = {{"n_greedy", Index{50}}}};
  Relevance relevance{.fdr = 0.05};
  EXPECT_EQ(relevance_text(task, relevance),
            "no feature adds what chance would not; none has to do with other columns (q ≤ 0.05)");
  task.data.cannot_link = 3;
  EXPECT_EQ(relevance_text(task, relevance),
            "no feature adds what chance would not; none has to do with the pairs or with other "
            "columns (q ≤ 0.05)");
}

}  // namespace
}  // namespace tamis
