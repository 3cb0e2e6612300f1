#include "evaluation/results_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

class ResultsLogTest : public testing::Test {
 protected:
  ~ResultsLogTest() override { std::filesystem::remove(path_); }

  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }
  ResultsLog log(std::uint64_t seed = 0) {
    return {path_,
            {.version = "1",
             .command = "",
             .seed = seed,
             .protocol = "tamis",
             .methods = {"cls"},
             .data_sets = {{.name = "iris", .file = "", .hash = "", .rows = 9, .features = 4}}},
            {.note = [&](const std::string& note) { notes_.push_back(note); }}};
  }
  static RunResult run(Index number) {
    return {.data_set = "iris", .run = number, .method = "cls"};
  }

  std::string path_ = testing::TempDir() + "tamis-log-" + std::to_string(getpid()) + ".jsonl";
  std::vector<std::string> notes_ = {};
};

TEST_F(ResultsLogTest, WithoutAPathRemembersAndWritesNothing) {
  ResultsLog log("", {}, {});
  log.add(run(0));
  EXPECT_EQ(log.results().runs.size(), 1U);
}

TEST_F(ResultsLogTest, ContinuesWhatItWroteAfterTheLastWholeLine) {
  log().add(run(0));
  const std::string whole = text();
  std::ofstream(path_, std::ios::app) << to_json_line(run(1)).substr(0, 10);
  ResultsLog resumed = log();
  EXPECT_EQ(resumed.results().runs.size(), 1U);
  EXPECT_EQ(text(), whole);
  resumed.add(run(1));
  EXPECT_EQ(text(), whole + to_json_line(run(1)));
  EXPECT_EQ(notes_,
            (std::vector<std::string>{path_ + ": the last line was cut; that run is done again",
                                      path_ + ": continued after 1 result"}));
}

TEST_F(ResultsLogTest, LeavesAnotherExperimentAloneAndSetsTheFileFree) {
  log().add(run(0));
  EXPECT_EQ(message_of<DataError>([&] { log(4); }),
            path_ +
                ": this file holds results of another experiment: its seed is 0, not 4. "
                "Continue with what it was made with, or choose another file");
  EXPECT_EQ(log().results().runs.size(), 1U);
}

TEST_F(ResultsLogTest, IsTheOnlyOneToWriteItsFile) {
  const ResultsLog first = log();
  EXPECT_EQ(message_of<DataError>([&] { log(); }), path_ + ": another process is writing it");
}

}  // namespace
}  // namespace tamis
