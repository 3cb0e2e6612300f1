#include "streaming/streamed_ridge_omp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "streaming/level_states.hpp"
#include "streaming/streaming_support.hpp"
#include "support/message_of.hpp"
#include "support/wave_sample.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

using namespace test;

constexpr RidgeOmpOptions kJudged{.ranks = Ranks::levels, .relevance = {.n_decoys = 300}};
constexpr RidgeOmpOptions kUnjudged{.ranks = Ranks::levels, .relevance = {.fdr = 1.0}};

void expect_equal(const Ranking& ranking, const Ranking& whole) {
  EXPECT_EQ(ranking.order, whole.order);
  expect_scores_near(ranking.scores, whole.scores, 0.0);
  EXPECT_EQ(ranking.diagnostics.figures, whole.diagnostics.figures);
  EXPECT_EQ(ranking.diagnostics.warnings, whole.diagnostics.warnings);
  ASSERT_EQ(ranking.relevance.has_value(), whole.relevance.has_value());
  if (!whole.relevance) return;
  expect_scores_near(ranking.relevance->p, whole.relevance->p, 0.0);
  EXPECT_EQ(ranking.relevance->step_p, whole.relevance->step_p);
  EXPECT_EQ(ranking.relevance->label_p, whole.relevance->label_p);
}

void expect_bits_of_in_memory(const Sample& sample, const RidgeOmpOptions& options) {
  const Run run{.seed = 4};
  for (const Storage storage : kStorages) {
    SCOPED_TRACE(name_of(storage));
    const StoredSample stored(sample, storage);
    const Ranking whole = ridge_omp(stored.problem(), options, run);
    for (const Index pieces : {1, 3, 9}) {
      StreamedRidgeOmp conversation(streamed(stored.problem()), options, run.seed);
      const Ranking ranking = converse(conversation, stored.problem().matrix, pieces, /*seed=*/5);
      expect_equal(ranking, whole);
    }
  }
}

TEST(StreamedRidgeOmp, HasTheBitsOfInMemory) {
  expect_bits_of_in_memory(wave_sample(300, 4, /*seed=*/1), kJudged);
  expect_bits_of_in_memory(wave_sample(300, 4, /*seed=*/2), kUnjudged);
  expect_bits_of_in_memory(wave_sample(300, 100, /*seed=*/3), kJudged);
  Sample paired = blobs_with_pairs(60, 12, 3, /*seed=*/4);
  paired.labels.clear();
  expect_bits_of_in_memory(paired, kJudged);
  paired.pairs.reset();
  expect_bits_of_in_memory(paired, kUnjudged);
}

TEST(StreamedRidgeOmp, SumsMoreLabelsThanColumns) {
  expect_bits_of_in_memory(wave_sample(1300, 400, /*seed=*/5), kJudged);
}

TEST(StreamedRidgeOmp, HasTheSameBytesForAnyRunsInAnyOrder) {
  const StoredSample stored(wave_sample(200, 4, /*seed=*/6));
  StreamedRidgeOmp conversation(streamed(stored.problem()), kJudged, /*seed=*/4);
  while (const auto pass = conversation.next_pass()) {
    SCOPED_TRACE(pass->kind);
    const MatrixView& table = stored.problem().matrix;
    auto state = merged_state(*pass, table, random_runs(200, 1, 0));
    for (const std::uint64_t seed : {1, 2, 3})
      EXPECT_EQ(merged_state(*pass, table, random_runs(200, 7, seed))->bytes(), state->bytes());
    conversation.accept(std::move(state));
  }
}

std::vector<std::string> kinds_of(const StreamedRidgeOmp& conversation) {
  std::vector<std::string> kinds;
  for (const PassPlan& pass : conversation.passes()) kinds.push_back(pass.kind);
  return kinds;
}

Index most_bytes(const StreamedRidgeOmp& conversation) {
  return std::ranges::max(conversation.passes(), {}, &PassPlan::bytes).bytes;
}

/// With so little memory that what can be divided is.
void expect_same_bits_in_parts(const Sample& sample, const RidgeOmpOptions& options) {
  const Run run{.seed = 4};
  for (const Storage storage : {Storage::dense_double, Storage::csr_float}) {
    const StoredSample stored(sample, storage);
    const Ranking whole = ridge_omp(stored.problem(), options, run);
    for (const AnswerSpace& space :
         {AnswerSpace{.bytes = 1}, AnswerSpace{.bytes = 1, .folder = testing::TempDir()},
          AnswerSpace{.bytes = 1, .is_all = false}}) {
      StreamedRidgeOmp conversation(streamed(stored.problem()), options, run.seed);
      conversation.fit(space);
      EXPECT_GT(std::ranges::count(kinds_of(conversation), "levels"), 1);
      EXPECT_EQ(std::ranges::count(kinds_of(conversation), "products") > 1,
                space.folder || !space.is_all);
      const Ranking ranking = converse(conversation, stored.problem().matrix, 3, /*seed=*/5);
      expect_equal(ranking, whole);
    }
  }
}

TEST(StreamedRidgeOmp, HasTheSameBitsInParts) {
  expect_same_bits_in_parts(blobs(300, 150, 3, /*seed=*/7), kJudged);
  expect_same_bits_in_parts(blobs(1500, 100, 350, /*seed=*/5), kJudged);  // sums of labels
}

TEST(StreamedRidgeOmp, DoesWithLessMemoryInMorePasses) {
  StreamedProblem problem{.rows = 100'000, .cols = 20'000, .is_single = true};
  StreamedRidgeOmp conversation(problem, kUnjudged, /*seed=*/0);
  const Index usual = most_bytes(conversation);
  const auto fits = [&](Index bytes, std::optional<std::string> folder) {
    conversation.fit({.bytes = bytes, .folder = std::move(folder)});
    return most_bytes(conversation) <= bytes;
  };
  EXPECT_TRUE(fits(usual, std::nullopt));
  EXPECT_EQ(conversation.passes().size(), 3U);
  EXPECT_TRUE(fits(usual * 9 / 10, std::nullopt));
  EXPECT_EQ(conversation.passes().size(), 4U);
  EXPECT_FALSE(fits(usual / 2, std::nullopt));
  EXPECT_TRUE(conversation.wants_folder());
  EXPECT_TRUE(fits(usual * 7 / 10, testing::TempDir()));
  EXPECT_FALSE(conversation.wants_folder());
}

TEST(StreamedRidgeOmp, SaysBeforeWorkWhatItAsks) {
  const StoredSample stored(wave_sample(300, 4, /*seed=*/1));
  const StreamedRidgeOmp judged(streamed(stored.problem()), kJudged, /*seed=*/0);
  EXPECT_EQ(kinds_of(judged),
            (std::vector<std::string>{"scan", "levels", "products", "shares", "judging"}));
  const StreamedRidgeOmp unjudged(streamed(stored.problem()), kUnjudged, /*seed=*/0);
  EXPECT_EQ(unjudged.passes().size(), 4U);
}

TEST(StreamedRidgeOmp, RefusesAnAnswerThatIsCutOff) {
  const StoredSample stored(wave_sample(50, 4, /*seed=*/1));
  StreamedRidgeOmp conversation(streamed(stored.problem()), kJudged, /*seed=*/0);
  while (const auto pass = conversation.next_pass()) {
    auto state = merged_state(*pass, stored.problem().matrix, random_runs(50, 1, 0));
    Bytes bytes = state->bytes();
    bytes.pop_back();
    EXPECT_THROW(state_of(*pass, bytes), DataError) << pass->kind;
    conversation.accept(std::move(state));
  }
}

}  // namespace
}  // namespace tamis
