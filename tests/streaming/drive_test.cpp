#include "streaming/drive.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "streaming/checkpoint_facts.hpp"
#include "streaming/memory_plan.hpp"
#include "streaming/streamed_ranking.hpp"
#include "streaming/streaming_support.hpp"
#include "support/message_of.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis {
namespace {

using namespace test;

/// A sample as a source; it may change, end too early, or fail at a row.
class SampleRows : public RowSource {
 public:
  explicit SampleRows(const Problem& problem) : x_(problem.matrix) {}

  Index rows() const override { return x_.rows(); }
  Index cols() const override { return x_.cols(); }
  bool is_single() const override { return x_.is_single(); }
  bool is_sparse() const override { return x_.is_sparse(); }
  void read(Index first, Index count, OwnedTable& block) override {
    if (first <= fails_at && fails_at < first + count) throw IoError("the disk is gone");
    block = rows_of(x_, {first, count});
    rows_read += count;
    if (rows_read > changes_after) state_ = "another";
  }
  std::string fingerprint() const override { return state_; }

  Index fails_at = -1;
  Index changes_after = Index{1} << 60;
  Index rows_read = 0;

 private:
  MatrixView x_;
  std::string state_ = "the table";
};

std::unique_ptr<RankingConversation> conversation_on(const Problem& problem, const char* method) {
  return streamed_ranking({.method = &find_method(method)}, streamed(problem));
}

class Drive : public testing::Test {
 protected:
  Drive() { std::filesystem::remove_all(folder_); }
  ~Drive() override { std::filesystem::remove_all(folder_); }

  Ranking rank(SampleRows& source, Index rows_at_once, Checkpoint* checkpoint = nullptr) {
    return converse(*conversation_on(stored_.problem(), "variance"), source, rows_at_once, {},
                    checkpoint);
  }
  Checkpoint checkpoint(Checkpoint::Facts facts = {{"file", "x.npy"}, {"seed", "0"}}) {
    return Checkpoint(folder_, std::move(facts), Checkpoint::Clock::duration::zero());
  }

  StoredSample stored_{blobs(100, 7, 3, 1)};
  std::string folder_ = testing::TempDir() + "/tamis_drive_" + std::to_string(getpid());
};

TEST_F(Drive, GivesTheSameBitsForBlocksOfAnySizeAndAnyThreads) {
  for (const char* const method : {"variance", "fisher_score"}) {
    SampleRows source(stored_.problem());
    const auto rank_by = [&](Index rows_at_once) {
      return converse(*conversation_on(stored_.problem(), method), source, rows_at_once, {}).scores;
    };
    const std::vector<double> whole = rank_by(100);
    for (const int threads : {1, 2, 3}) {
      const ThreadLimit limit(threads);
      for (const Index rows_at_once : {1, 3, 50, 99}) EXPECT_EQ(rank_by(rows_at_once), whole);
    }
  }
}

TEST_F(Drive, RunsOfRowsAnswerAsTheWholeDoes) {
  SampleRows source(stored_.problem());
  for (const char* const method : {"variance", "fisher_score"}) {
    const auto conversation = conversation_on(stored_.problem(), method);
    while (const auto pass = conversation->next_pass()) {
      auto whole = read_all(*pass, source, 100, {}, "");
      auto merged = read_run(*pass, source, 40, 60, 7);
      merged->merge(*read_run(*pass, source, 0, 39, 100));
      merged->merge(*read_run(*pass, source, 39, 1, 5));
      merged->merge(*read_run(*pass, source, 100, 0, 5));
      EXPECT_EQ(merged->bytes(), whole->bytes());
      conversation->accept(std::move(whole));
    }
  }
}

TEST_F(Drive, RefusesARunOfATableThatChanges) {
  SampleRows source(stored_.problem());
  source.changes_after = 15;
  const auto pass = conversation_on(stored_.problem(), "variance")->next_pass();
  EXPECT_EQ(message_of<IoError>([&] { read_run(*pass, source, 50, 20, 10); }),
            "the table was changed while it was read: it was the table, and is another");
}

TEST_F(Drive, CheckpointsAreOfATableItsKnowledgeAndAPlan) {
  StreamedProblem problem = streamed(stored_.problem());
  const auto facts = [&](const char* method, std::uint64_t seed) {
    const RankingPlan plan{.method = &find_method(method), .options = {{"n_neighbors", "7"}}};
    return checkpoint_facts("1.0", plan, problem, "x.npy", seed);
  };
  const Checkpoint::Facts first = facts("laplacian_score", 3);
  EXPECT_EQ(first, facts("laplacian_score", 3));
  const auto value_of = [&](const std::string& name) {
    return std::ranges::find(first, name, &Checkpoint::Facts::value_type::first)->second;
  };
  EXPECT_EQ(value_of("version of tamis"), "1.0");
  EXPECT_EQ(value_of("file"), "x.npy");
  EXPECT_EQ(value_of("shape"), "100 x 7, double");
  EXPECT_EQ(value_of("seed"), "3");
  EXPECT_EQ(value_of("method"), "laplacian_score");
  EXPECT_EQ(value_of("n_neighbors"), "7");
  problem.known.labels[0] = kUnlabeled;
  EXPECT_NE(first, facts("laplacian_score", 3));
}

TEST_F(Drive, TellsProgressByRows) {
  std::vector<std::string> seen;
  const tamis::Run run{.progress = Progress([&](std::string_view stage, Index done, Index total) {
                         seen.push_back(std::string(stage) + " " + std::to_string(done) + "/" +
                                        std::to_string(total));
                       })};
  SampleRows source(stored_.problem());
  converse(*conversation_on(stored_.problem(), "variance"), source, 60, run);
  EXPECT_EQ(seen, (std::vector<std::string>{
                      "pass 1 of 2 (range) 60/100", "pass 1 of 2 (range) 100/100",
                      "pass 2 of 2 (deviations) 60/100", "pass 2 of 2 (deviations) 100/100"}));
}

TEST_F(Drive, EndsWhenProgressThrows) {
  const tamis::Run run{
      .progress = Progress([](std::string_view, Index, Index) { throw Interrupted("enough"); })};
  SampleRows source(stored_.problem());
  EXPECT_THROW(converse(*conversation_on(stored_.problem(), "variance"), source, 10, run),
               Interrupted);
}

TEST_F(Drive, PassesOnWhatTheReaderThrows) {
  SampleRows source(stored_.problem());
  source.fails_at = 55;
  EXPECT_EQ(message_of<IoError>([&] { rank(source, 10); }), "the disk is gone");
}

TEST_F(Drive, RefusesATableThatChanges) {
  SampleRows source(stored_.problem());
  source.changes_after = 150;
  EXPECT_EQ(message_of<IoError>([&] { rank(source, 10); }),
            "the table was changed while it was read: it was the table, and is another");
}

TEST_F(Drive, GoesOnFromACheckpoint) {
  SampleRows whole(stored_.problem());
  const std::vector<double> expected = rank(whole, 10).scores;
  for (const Index fails_at : {95, 35}) {  // in the first pass, then in the second
    SampleRows source(stored_.problem());
    source.fails_at = fails_at;
    Checkpoint kept = checkpoint();
    EXPECT_THROW(rank(source, 10, &kept), IoError);
  }
  SampleRows source(stored_.problem());
  Checkpoint kept = checkpoint();
  EXPECT_EQ(kept.rows_found(), 100 + 30);
  EXPECT_EQ(rank(source, 7, &kept).scores, expected);
  EXPECT_EQ(source.rows_read, 70);
  kept.remove();
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(Drive, ReadsNothingThatACheckpointHas) {
  SampleRows source(stored_.problem());
  Checkpoint first = checkpoint();
  const std::vector<double> expected = rank(source, 10, &first).scores;
  source.rows_read = 0;
  Checkpoint second = checkpoint();
  EXPECT_EQ(second.rows_found(), 200);
  EXPECT_EQ(rank(source, 10, &second).scores, expected);
  EXPECT_EQ(source.rows_read, 0);
}

TEST_F(Drive, RefusesACheckpointOfSomethingElse) {
  checkpoint();
  EXPECT_EQ(message_of<DataError>([&] {
              checkpoint({{"file", "x.npy"}, {"seed", "1"}});
            }),
            folder_ +
                ": the checkpoint is of another seed: '0', not '1'; give another folder, or remove "
                "this one");
  EXPECT_THROW(checkpoint({{"file", "x.npy"}}), DataError);
  EXPECT_THROW(checkpoint({{"file", "x.npy"}, {"seed", "0"}, {"nu", "1"}}), DataError);
}

TEST_F(Drive, RefusesADamagedCheckpoint) {
  SampleRows source(stored_.problem());
  Checkpoint kept = checkpoint();
  rank(source, 10, &kept);
  std::filesystem::resize_file(folder_ + "/pass-2", 30);
  EXPECT_EQ(message_of<DataError>([&] { rank(source, 10, &kept); }),
            folder_ + "/pass-2: is cut off or damaged; remove it");
}

TEST(MemoryPlan, TakesAsManyRowsAsFit) {
  const StoredSample stored(blobs(5000, 40, 2, 1));
  SampleRows source(stored.problem());
  const auto conversation = conversation_on(stored.problem(), "variance");
  const MemoryPlan ample = plan_memory(source, *conversation, Index{1} << 40);
  EXPECT_EQ(ample.rows_at_once, 5000);
  const Index block = ample.held + ample.states + (Index{16} << 20) + 2 * 40 * 8 * 1000;
  const MemoryPlan tight = plan_memory(source, *conversation, block);
  EXPECT_LE(tight.rows_at_once, 1000);
  EXPECT_GT(tight.rows_at_once, 0);
  EXPECT_TRUE(tight.rows_at_once < 512 || tight.rows_at_once % 512 == 0) << tight.rows_at_once;
  const std::string refused =
      message_of<InvalidArgument>([&] { plan_memory(source, *conversation, 1'000'000); });
  EXPECT_TRUE(
      refused.starts_with("1 MB of memory are too few for this table and method: at least "))
      << refused;
}

TEST(MemoryPlan, HoldsATableAsAWholeIfAMethodHasRoomBeside) {
  const StoredSample stored(blobs(1000, 10, 2, 1));
  const SampleRows source(stored.problem());
  EXPECT_TRUE(fits_in_memory(source, 104'000));
  EXPECT_FALSE(fits_in_memory(source, 103'999));
  EXPECT_TRUE(fits_in_memory(source, usual_memory()));
}

TEST(MemoryPlan, ReadsAmountsOfMemory) {
  EXPECT_EQ(parse_bytes("rank", "--memory", "4G"), 4'000'000'000);
  EXPECT_EQ(parse_bytes("rank", "--memory", "1.5m"), 1'500'000);
  EXPECT_EQ(parse_bytes("rank", "--memory", "1000"), 1000);
  for (const char* const text : {"", "G", "4X", "-1G", "nan", "0", "4 G", "1e30T"})
    EXPECT_EQ(message_of<InvalidArgument>([&] { parse_bytes("rank", "--memory", text); }),
              "rank: --memory = '" + std::string(text) +
                  "' is no amount of memory; write a number of bytes, or such as 500M or 4G");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1'510'000'000), "1.6 GB");
}

}  // namespace
}  // namespace tamis
