#include "streaming/streamed_ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "registry/method_call.hpp"
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
  ASSERT_EQ(a.diversity.has_value(), b.diversity.has_value());
  if (a.diversity) {
    expect_same_bits(a.diversity->gain, b.diversity->gain);
    expect_same_bits(a.diversity->correlation, b.diversity->correlation);
    EXPECT_EQ(a.diversity->nearest, b.diversity->nearest);
  }
  ASSERT_EQ(a.relevance.has_value(), b.relevance.has_value());
  if (a.relevance) {
    expect_same_bits(a.relevance->q, b.relevance->q);
    EXPECT_EQ(a.relevance->n_backed, b.relevance->n_backed);
  }
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

/// By its defaults, and over a base that reads runs of rows if it has one.
RankingPlan usual_plan(const Method& method) {
  RankingPlan plan{.method = &method};
  if (const std::string option(method.info.base_option); !option.empty())
    plan.options.emplace(option, "wckm:restarts=2");
  return completed(plan);
}

std::vector<RankingPlan> plans(Streams streams) {
  std::vector<RankingPlan> found;
  for (const Method& method : methods())
    if (method.info.streams == streams) found.push_back(usual_plan(method));
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
    RankingPlan plan = usual_plan(method);
    if (!streams(plan)) continue;
    if (!plan.selects_subset()) plan.diversify = DiversifyOptions{};
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
  EXPECT_EQ(streamed_one.warnings, std::vector{warning});
  EXPECT_TRUE(streamed_plan(streamed_one.plan).warnings.empty());
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
  EXPECT_EQ(refused({.method = &find_method("csfsr")}),
            "csfsr: base: csfs looks at all rows at once, but not if condense=som");
}

/// A plan as it is in memory if it is to be as from a stream.
RankingPlan on_levels(RankingPlan plan) {
  plan = streamed_plan(std::move(plan)).plan;
  EXPECT_TRUE(streamed_plan(plan).warnings.empty());
  return plan;
}

RankingPlan diverse(const char* method, double fdr = 1.0, OptionTexts options = {}) {
  RankingPlan plan{.method = &find_method(method), .options = std::move(options)};
  plan.diversify = DiversifyOptions{.n_candidates = 5, .relevance = {.fdr = fdr}};
  return plan;
}

TEST(StreamedRanking, DiversifiesAsInMemoryOnLevels) {
  for (const char* const method : {"fisher_score", "relieff", "ridge_omp"})
    for (const double fdr : {1.0, 0.1})
      expect_streamed_is_in_memory(on_levels(diverse(method, fdr)), few_labels(4));
  expect_streamed_is_in_memory(on_levels(diverse("constraint_score")), with_pairs(few_labels(5)));
  RankingPlan bagged = on_levels(diverse("fisher_score"));
  bagged.bagging = BaggingOptions{.n_members = 3};
  expect_streamed_is_in_memory(bagged, few_labels(3));
}

TEST(StreamedRanking, DiversifiesWhatEveryMethodThatStreamsRanks) {
  const StoredSample stored(few_labels(6));
  for (const Method& method : methods()) {
    RankingPlan plan = completed({.method = &method});
    if (!streams(plan) || plan.selects_subset()) continue;
    const auto base = streamed_ranking(plan, streamed(stored.problem()));
    const Ranking given = converse(*base, stored.problem().matrix, 2, /*seed=*/1);
    const DiversifyOptions options{.n_candidates = 5, .ranks = Ranks::levels};
    plan.diversify = options;
    const auto conversation = streamed_ranking(plan, streamed(stored.problem()));
    const Ranking found = converse(*conversation, stored.problem().matrix, 3, /*seed=*/2);
    const Ranking expected = diversify(stored.problem(), given, options);
    EXPECT_EQ(found.order, expected.order) << method.info.name;
    expect_same_bits(found.scores, given.scores);
    expect_same_bits(found.diversity->gain, expected.diversity->gain);
  }
}

TEST(StreamedRanking, AsksOnceWhatMethodAndDiversityAskAlike) {
  const StoredSample stored(few_labels(1));
  const auto kinds = [&](const RankingPlan& plan) {
    const auto conversation = streamed_ranking(plan, streamed(stored.problem()));
    converse(*conversation, stored.problem().matrix, 1, /*seed=*/1);
    std::vector<std::string> all;
    for (const PassPlan& pass : conversation->passes()) all.push_back(pass.kind);
    return all;
  };
  EXPECT_EQ(
      kinds(diverse("variance")),
      (std::vector<std::string>{"range + scan", "deviations + levels", "products", "shares"}));
  EXPECT_EQ(kinds(diverse("ridge_omp", 1.0, {{"fdr", "1"}})),
            (std::vector<std::string>{"scan", "levels", "products", "shares"}));
  EXPECT_EQ(kinds(diverse("ridge_omp")),
            (std::vector<std::string>{"scan", "levels", "products", "shares + shares", "judging"}));
}

TEST(StreamedRanking, SharesLittleMemoryAmongThoseThatAskTogether) {
  const StoredSample stored(blobs(120, 150, /*per_class=*/5, /*seed=*/4));
  RankingPlan pruned{.method = &find_method("csfsr"), .options = {{"base", "ridge_omp"}}};
  for (const RankingPlan& plan : {on_levels(diverse("ridge_omp", 0.1)),
                                  on_levels(diverse("fisher_score")), on_levels(pruned)}) {
    SCOPED_TRACE(plan.name());
    const auto usual = streamed_ranking(plan, streamed(stored.problem()));
    const auto fitted = streamed_ranking(plan, streamed(stored.problem()));
    fitted->fit({.bytes = 1, .folder = testing::TempDir()});
    EXPECT_GT(fitted->passes().size(), usual->passes().size());
    expect_same_ranking(converse(*fitted, stored.problem().matrix, 3, /*seed=*/5),
                        converse(*usual, stored.problem().matrix, 2, /*seed=*/5));
  }
}

Index most_bytes(const Conversation& conversation) {
  Index most = conversation.result_bytes();
  for (const PassPlan& pass : conversation.passes()) most = std::max(most, pass.bytes);
  return most;
}

/// Also where one of two needs more than half, and the other could do with less.
TEST(StreamedRanking, ReadsNoMoreOftenThanMemoryDemands) {
  StreamedProblem problem{.rows = 100'000, .cols = 400};
  for (Index i = 0; i < problem.rows; ++i)
    problem.known.labels.push_back(i < 8000 ? static_cast<int>(i % 2) : kUnlabeled);
  RankingPlan pruned{.method = &find_method("csfsr"), .options = {{"base", "fisher_score"}}};
  for (const RankingPlan& plan :
       {on_levels(diverse("fisher_score")), on_levels(diverse("ridge_omp")), on_levels(pruned)}) {
    SCOPED_TRACE(plan.name());
    const auto conversation = streamed_ranking(plan, problem);
    const std::size_t fewest = conversation->passes().size();
    const Index best = most_bytes(*conversation);
    conversation->fit({.bytes = 1});
    const Index least = most_bytes(*conversation);
    std::size_t before = conversation->passes().size();
    for (int step = 0; step <= 8; ++step) {
      const Index bytes = least + (best - least) * step / 8;
      conversation->fit({.bytes = bytes});
      EXPECT_LE(most_bytes(*conversation), bytes);
      EXPECT_LE(conversation->passes().size(), before);
      before = conversation->passes().size();
    }
    EXPECT_EQ(before, fewest);
  }
}

TEST(StreamedRanking, SaysThatAMoreDiverseOrderIsByLevels) {
  const std::string because = " = levels, because the table is read in runs of rows";
  EXPECT_EQ(streamed_plan(diverse("fisher_score")).warnings,
            std::vector{"diversify: ranks" + because});
  EXPECT_EQ(streamed_plan(diverse("ridge_omp")).warnings,
            (std::vector{"ridge_omp: ranks" + because, "diversify: ranks" + because}));
  EXPECT_TRUE(
      streamed_plan(completed(diverse("ridge_omp", 1.0, {{"ranks", "levels"}}))).warnings.empty())
      << "it follows the method";
}

/// Copies, near copies and a column far from 0.
Sample with_redundancy() {
  Sample sample = blobs(300, 9, 20, 3);
  for (Index i = 0; i < 300; ++i) {
    sample.x(i, 3) = -sample.x(i, 1);
    sample.x(i, 4) = sample.x(i, 0) + 0.3 * sample.x(i, 4);
    sample.x(i, 5) = 1e6 + sample.x(i, 2) + 0.1 * sample.x(i, 5);
    sample.x(i, 6) = 7.0;
  }
  return sample;
}

void expect_same_pruning(const Ranking& found, const Ranking& whole) {
  EXPECT_EQ(found.order, whole.order);
  EXPECT_EQ(found.subset, whole.subset);
  EXPECT_EQ(found.diagnostics.warnings, whole.diagnostics.warnings);
  ASSERT_EQ(found.redundancy->tree.size(), whole.redundancy->tree.size());
  for (std::size_t e = 0; e < whole.redundancy->tree.size(); ++e) {
    const Redundancy::Edge& edge = found.redundancy->tree[e];
    const Redundancy::Edge& expected = whole.redundancy->tree[e];
    EXPECT_EQ(edge.first, expected.first);
    EXPECT_EQ(edge.second, expected.second);
    EXPECT_NEAR(edge.correlation, expected.correlation, 1e-8);
    EXPECT_EQ(edge.correlation == 1.0, expected.correlation == 1.0);
  }
  ASSERT_EQ(found.redundancy->removed.size(), whole.redundancy->removed.size());
  for (std::size_t r = 0; r < whole.redundancy->removed.size(); ++r)
    EXPECT_EQ(found.redundancy->removed[r].feature, whole.redundancy->removed[r].feature);
  EXPECT_NEAR(found.redundancy->mean_abs_correlation, whole.redundancy->mean_abs_correlation, 1e-8);
}

TEST(StreamedRanking, PrunesWhatIsRedundantAsInMemory) {
  for (const Storage storage : kStorages)
    for (const char* const base : {"fisher_score", "variance", "wckm:restarts=2",
                                   "ridge_omp:ranks=levels", "fisher_score:bagging=3"})
      for (const char* const threshold : {"0", "0.5"}) {
        SCOPED_TRACE(testing::Message() << base << ", " << name_of(storage));
        const StoredSample stored(with_redundancy(), storage);
        const Problem& problem = stored.problem();
        const RankingPlan plan =
            completed({.method = &find_method("csfsr"),
                       .options = {{"base", base}, {"threshold", threshold}, {"h", "20"}}});
        const Ranking whole = plan.rank(problem);
        for (const Index pieces : {1, 4}) {
          const auto conversation = streamed_ranking(plan, streamed(problem));
          expect_same_pruning(converse(*conversation, problem.matrix, pieces, /*seed=*/5), whole);
        }
      }
}

TEST(StreamedRanking, PrunesIntegersByTheCorrelationsOfMemory) {
  Sample sample = blobs(200, 12, 20, 3);
  for (Index i = 0; i < 200; ++i)
    for (Index r = 0; r < 12; ++r) sample.x(i, r) = std::round(8.0 * sample.x(i, r));
  const StoredSample stored(sample);
  const RankingPlan plan =
      completed({.method = &find_method("csfsr"), .options = {{"base", "variance"}}});
  const Ranking whole = plan.rank(stored.problem());
  const auto conversation = streamed_ranking(plan, streamed(stored.problem()));
  const Ranking found = converse(*conversation, stored.problem().matrix, 3, /*seed=*/5);
  expect_same_pruning(found, whole);
  for (std::size_t e = 0; e < whole.redundancy->tree.size(); ++e)
    EXPECT_DOUBLE_EQ(found.redundancy->tree[e].correlation, whole.redundancy->tree[e].correlation);
}

TEST(StreamedRanking, ReadsOnceMoreThanTheBaseToPrune) {
  const StoredSample stored(few_labels(1));
  const auto reads = [&](const RankingPlan& plan) {
    return streamed_ranking(plan, streamed(stored.problem()))->passes().size();
  };
  for (const char* const base : {"fisher_score", "variance", "ridge_omp", "cls:condense=som"})
    EXPECT_EQ(reads({.method = &find_method("csfsr"), .options = {{"base", base}}}),
              reads(parse_method_call(base)) + 1)
        << base;
}

TEST(StreamedRanking, SetsTheOptionThatThePassesOfABaseNeed) {
  const StreamedPlan streamed_one =
      streamed_plan({.method = &find_method("csfsr"), .options = {{"base", "ridge_omp:fdr=1"}}});
  EXPECT_EQ(streamed_one.plan.options, (OptionTexts{{"base", "ridge_omp:fdr=1,ranks=levels"}}));
  EXPECT_EQ(streamed_one.warnings,
            std::vector<std::string>{
                "ridge_omp: ranks = levels, because the table is read in runs of rows"});
}

TEST(StreamedRanking, TellsTheTraceWhatTheBaseDid) {
  const StoredSample stored(few_labels(1));
  const RankingPlan plan = completed(
      {.method = &find_method("csfsr"), .options = {{"base", "ridge_omp:ranks=levels,fdr=1"}}});
  std::vector<std::string> whole;
  std::vector<std::string> read;
  const auto traced = [](std::vector<std::string>& kinds) {
    return tamis::Run{.trace =
                          Trace([&](const TraceEvent& event) { kinds.emplace_back(event.name); })};
  };
  plan.rank(stored.problem(), traced(whole));
  const auto conversation = streamed_ranking(plan, streamed(stored.problem()));
  const tamis::Run run = traced(read);
  conversation->report_to(run);
  while (const auto pass = conversation->next_pass())
    conversation->accept(
        merged_state(*pass, stored.problem().matrix, random_runs(stored.problem().rows(), 3, 1)));
  conversation->result(run);
  EXPECT_EQ(read, whole);
  EXPECT_FALSE(read.empty());
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
