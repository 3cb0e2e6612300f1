#include "results/relevance_text.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

TEST(RelevanceText, SaysHowManyFeaturesAreWorthIt) {
  const RankingTask task;
  Relevance relevance{.fdr = 0.1,
                      .p = std::vector<double>(1000),
                      .step_p = std::vector<double>(50),
                      .n_backed = 12,
                      .n_relevant = 310,
                      .label_p = 0.001};
  EXPECT_EQ(relevance_text(task, relevance),
            "12 features add what chance would not; 310 have to do with the labels or with other "
            "columns (q ≤ 0.1)");
  relevance.null = Null::labels;
  relevance.n_backed = 50;
  EXPECT_EQ(
      relevance_text(task, relevance),
      "at least 50 features add what chance would not; 310 have to do with the labels (q ≤ 0.1)");
  relevance.n_backed = 1;
  relevance.n_relevant = 1;
  EXPECT_EQ(relevance_text(task, relevance),
            "1 feature adds what chance would not; 1 has to do with the labels (q ≤ 0.1)");
}

TEST(RelevanceText, KnowsThatNoRelevantFeatureIsLeft) {
  const Relevance relevance{.null = Null::labels,
                            .fdr = 0.1,
                            .p = {0, 0, 1},
                            .step_p = {0, 0},
                            .n_backed = 2,
                            .n_relevant = 2};
  EXPECT_EQ(relevance_text({}, relevance),
            "2 features add what chance would not; 2 have to do with the labels (q ≤ 0.1)");
}

TEST(RelevanceText, SaysWhatWasKnown) {
  RankingTask task;
  Relevance relevance{.fdr = 0.05};
  EXPECT_EQ(relevance_text(task, relevance),
            "no feature adds what chance would not; none has to do with other columns (q ≤ 0.05)");
  task.data.cannot_link = 3;
  EXPECT_EQ(relevance_text(task, relevance),
            "no feature adds what chance would not; none has to do with the pairs or with other "
            "columns (q ≤ 0.05)");
  task.data.targets = 8;
  relevance.label_p = 0.5;
  EXPECT_EQ(relevance_text(task, relevance),
            "no feature adds what chance would not; none has to do with the target or with other "
            "columns (q ≤ 0.05)");
  relevance.null = Null::labels;
  EXPECT_EQ(relevance_text(task, relevance),
            "no feature adds what chance would not; none has to do with the target (q ≤ 0.05)");
  task.data.classes = 2;
  EXPECT_EQ(relevance_text(task, relevance),
            "no feature adds what chance would not; none has to do with the labels (q ≤ 0.05)");
}

}  // namespace
}  // namespace tamis
