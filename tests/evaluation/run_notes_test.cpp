#include "evaluation/run_notes.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

RunResult run_of(const std::string& method, Index run, std::vector<std::string> warnings) {
  return {.data_set = "iris",
          .labels_per_class = 3,
          .run = run,
          .method = method,
          .warnings = std::move(warnings)};
}

TEST(RunNotes, AreEmptyIfNothingHappened) {
  const ExperimentResults results{.runs = {run_of("cls", 0, {})}};
  EXPECT_TRUE(warning_notes(results).empty());
  EXPECT_FALSE(failure_note(results));
}

TEST(RunNotes, SayTheFirstWarningOfAMethodAndHowManyRunsWarned) {
  const ExperimentResults results{
      .runs = {run_of("lsdf", 0, {"x"}), run_of("cls", 0, {"a", "b"}), run_of("cls", 1, {"c"})}};
  EXPECT_EQ(warning_notes(results),
            (std::vector<std::string>{"cls: a (2 runs warned)", "lsdf: x (1 run warned)"}));
}

TEST(RunNotes, NameAMethodOnce) {
  const ExperimentResults results{
      .runs = {run_of("cls", 0, {"cls: a"}), run_of("lsdf:n_neighbors=3", 0, {"lsdf: b"})}};
  EXPECT_EQ(warning_notes(results),
            (std::vector<std::string>{"cls: a (1 run warned)",
                                      "lsdf:n_neighbors=3: lsdf: b (1 run warned)"}));
}

TEST(RunNotes, CountFailuresAndNameTheFirst) {
  ExperimentResults results{.runs = {run_of("cls", 0, {}), run_of("cls", 1, {})}};
  results.runs[1].failure = "not today";
  EXPECT_EQ(failure_note(results),
            "1 of 2 runs failed; the first: cls on iris with 3 labels per class, run 1: not today");
}

}  // namespace
}  // namespace tamis
