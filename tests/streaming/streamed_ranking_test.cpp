#include "streaming/streamed_ranking.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "streaming/streaming_support.hpp"
#include "support/message_of.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis {
namespace {

using namespace test;

/// A fourth of the rows are labeled; column 3 is constant on those, column 4 everywhere.
Sample few_labels(std::uint64_t seed) {
  Sample sample = blobs(60, 8, /*per_class=*/20, seed);
  for (std::size_t i = 0; i < sample.labels.size(); ++i)
    if (i % 4 != 1) sample.labels[i] = kUnlabeled;
  for (Index i = 0; i < 60; ++i) {
    if (sample.labels[i] != kUnlabeled) sample.x(i, 3) = 0.5;
    sample.x(i, 4) = -0.25;
  }
  return sample;
}

Sample with_pairs(Sample sample) {
  sample.labels.assign(sample.labels.size(), kUnlabeled);
  sample.pairs = PairConstraints{.must_link = {{0, 3}, {7, 12}, {20, 31, 0.5}},
                                 .cannot_link = {{1, 59}, {3, 44, 2.0}, {13, 14}}};
  return sample;
}

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t r = 0; r < a.size(); ++r)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a[r]), std::bit_cast<std::uint64_t>(b[r])) << r;
}

void expect_same_ranking(const Ranking& a, const Ranking& b) {
  expect_same_bits(a.scores, b.scores);
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.better, b.better);
  EXPECT_EQ(a.subset, b.subset);
  EXPECT_EQ(a.diagnostics.undefined, b.diagnostics.undefined);
  EXPECT_EQ(a.diagnostics.warnings, b.diagnostics.warnings);
  EXPECT_EQ(a.diagnostics.iterations, b.diagnostics.iterations);
  EXPECT_EQ(a.diagnostics.figures, b.diagnostics.figures);
}

void expect_streamed_is_in_memory(const RankingPlan& plan, const Sample& sample) {
  for (const Storage storage : kStorages) {
    const StoredSample stored(sample, storage);
    SCOPED_TRACE(testing::Message() << plan.name() << ", " << name_of(storage));
    const Problem& problem = stored.problem();
    const Ranking whole = plan.rank(problem);
    for (const Index pieces : {1, 2, 7}) {
      const auto conversation = streamed_ranking(plan, streamed(problem));
      expect_same_ranking(converse(*conversation, problem.matrix, pieces, /*seed=*/5), whole);
    }
  }
}

std::vector<RankingPlan> plans(Streams streams) {
  std::vector<RankingPlan> found;
  for (const Method& method : methods())
    if (method.info.streams == streams) found.push_back(completed({.method = &method}));
  return found;
}

TEST(StreamedRanking, HasTheBitsOfInMemoryForMethodsThatLookAtKnownRows) {
  EXPECT_FALSE(plans(Streams::known_rows).empty());
  for (const RankingPlan& plan : plans(Streams::known_rows)) {
    expect_streamed_is_in_memory(plan, few_labels(1));
    if (plan.method->info.needs == Needs::constraints)
      expect_streamed_is_in_memory(plan, with_pairs(few_labels(2)));
  }
}

TEST(StreamedRanking, HasThemIfAllRowsAreLabeled) {
  for (const RankingPlan& plan : plans(Streams::known_rows))
    expect_streamed_is_in_memory(plan, blobs(30, 5, 10, 7));
}

TEST(StreamedRanking, BagsWhatIsKnown) {
  for (const char* const name : {"fisher_score", "constraint_score"}) {
    RankingPlan plan{.method = &find_method(name)};
    plan.bagging = BaggingOptions{.n_members = 4};
    expect_streamed_is_in_memory(plan, few_labels(3));
  }
}

TEST(StreamedRanking, EveryMethodWithPassesHasAConversation) {
  const StoredSample stored(few_labels(1));
  for (const RankingPlan& plan : plans(Streams::passes))
    EXPECT_FALSE(streamed_ranking(plan, streamed(stored.problem()))->passes().empty());
}

TEST(StreamedRanking, SaysBeforeWorkHowOftenATableIsRead) {
  const StoredSample stored(few_labels(1));
  for (const Method& method : methods()) {
    const RankingPlan plan = completed({.method = &method});
    if (!streams(plan)) continue;
    const auto conversation = streamed_ranking(plan, streamed(stored.problem()));
    const std::size_t foreseen = conversation->passes().size();
    std::vector<std::string> asked;
    while (const auto pass = conversation->next_pass()) {
      asked.push_back(pass->kind);
      const std::vector<RowRun> all{{0, stored.problem().rows()}};
      conversation->accept(merged_state(*pass, stored.problem().matrix, all));
    }
    std::vector<std::string> announced;
    for (const PassPlan& pass : conversation->passes()) announced.push_back(pass.kind);
    EXPECT_EQ(asked, announced) << method.info.name;
    EXPECT_LE(foreseen, asked.size()) << method.info.name;
  }
}

TEST(StreamedRanking, SetsTheOptionThatPassesNeedAndSaysSo) {
  const RankingPlan plan{.method = &find_method("ridge_omp")};
  const StreamedPlan streamed_one = streamed_plan(plan);
  EXPECT_EQ(streamed_one.plan.options, (OptionTexts{{"ranks", "levels"}}));
  const std::string warning =
      "ridge_omp: ranks = levels, because the table is read in runs of rows";
  EXPECT_EQ(streamed_one.warning, warning);
  EXPECT_EQ(streamed_plan(streamed_one.plan).warning, std::nullopt);
  EXPECT_EQ(streamed_plan({.method = &find_method("cls")}).plan.options, OptionTexts{});

  const StoredSample stored(few_labels(1));
  const Problem& problem = stored.problem();
  Ranking whole = streamed_one.plan.rank(problem);
  whole.diagnostics.warnings.push_back(warning);
  const auto conversation = streamed_ranking(plan, streamed(problem));
  expect_same_ranking(converse(*conversation, problem.matrix, 3, /*seed=*/5), whole);
}

TEST(StreamedRanking, SaysWhichMethodsLookAtAllRows) {
  const StoredSample stored(few_labels(1));
  const auto refused = [&](const RankingPlan& plan) {
    EXPECT_FALSE(streams(plan));
    return message_of<InvalidArgument>([&] { streamed_ranking(plan, streamed(stored.problem())); });
  };
  EXPECT_EQ(refused({.method = &find_method("laplacian_score")}),
            "laplacian_score looks at all rows at once, but not if condense=som");
  EXPECT_EQ(refused({.method = &find_method("ssfi")}), "ssfi looks at all rows at once");
  EXPECT_EQ(refused({.method = &find_method("spfs"), .options = {{"similarity", "rbf"}}}),
            "spfs looks at all rows at once, but not if similarity=classes");
  EXPECT_EQ(refused({.method = &find_method("ridge_omp"), .options = {{"ranks", "exact"}}}),
            "ridge_omp looks at all rows at once, but not if ranks=levels");
  RankingPlan bagged{.method = &find_method("variance")};
  bagged.bagging = BaggingOptions{};
  EXPECT_EQ(refused(bagged), "the members of an ensemble of variance draw from all rows");
  RankingPlan diverse{.method = &find_method("fisher_score")};
  diverse.diversify = DiversifyOptions{};
  EXPECT_EQ(refused(diverse), "diversify looks at all rows at once");
}

TEST(StreamedRanking, NamesRowsOfContradictingPairsAsInMemory) {
  Sample sample = few_labels(1);
  sample.pairs = PairConstraints{.must_link = {{40, 41}}, .cannot_link = {{41, 40}}};
  const StoredSample stored(sample);
  const RankingPlan plan{.method = &find_method("constraint_score")};
  EXPECT_EQ(message_of<DataError>([&] { streamed_ranking(plan, streamed(stored.problem())); }),
            message_of<DataError>([&] { plan.rank(stored.problem()); }));
}

TEST(StreamedRanking, RefusesAValueThatIsNotFiniteAsInMemory) {
  Sample sample = few_labels(1);
  sample.x(59, 2) = std::numeric_limits<double>::quiet_NaN();
  sample.x(17, 6) = std::numeric_limits<double>::infinity();
  const StoredSample stored(sample);
  const std::string expected = message_of<DataError>([&] { check_problem(stored.problem()); });
  for (const char* const name : {"fisher_score", "variance"}) {
    const auto conversation =
        streamed_ranking({.method = &find_method(name)}, streamed(stored.problem()));
    EXPECT_EQ(
        message_of<DataError>([&] { converse(*conversation, stored.problem().matrix, 6, 3); }),
        expected);
  }
}

}  // namespace
}  // namespace tamis
