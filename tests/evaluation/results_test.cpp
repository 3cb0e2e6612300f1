#include "evaluation/results.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {
namespace {

/// A file that is gone with the test.
class File {
 public:
  explicit File(const std::string& bytes)
      : path_(testing::TempDir() + "tamis-results-" + std::to_string(getpid()) + ".jsonl") {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

ExperimentFacts some_facts() {
  return {.version = "1.2.3",
          .command = "tamis evaluate 'my file.csv'",
          .seed = 9223372036854775807,
          .protocol = "tamis",
          .settings = {{"runs", Index{2}},
                       {"train_share", 2.0 / 3.0},
                       {"scaled_ranking", true},
                       {"top", std::string("1:2")}},
          .methods = {"cls:n_neighbors=5", "random"},
          .data_sets = {{.name = "iris",
                         .file = "my file.csv",
                         .hash = "00112233445566ff",
                         .rows = 150,
                         .features = 4,
                         .classes = {{"a\n\"b\"", 100}, {"c", 50}}}}};
}

RunResult some_run() {
  return {.data_set = "iris",
          .labels_per_class = 3,
          .run = 1,
          .method = "cls:n_neighbors=5",
          .lengths = {1, 2},
          .features = {3, 0},
          .views = {{Viewpoint::transfer, {0.1, 1.0 / 3.0}, {0.25, 1.0}},
                    {Viewpoint::realistic, {0.5, 0.75}, {0.5, 0.75}}},
          .mean_correlation = {0.0, kUndefined},
          .wall_seconds = 0.125,
          .cpu_seconds = 0.1,
          .peak_memory_bytes = 123456789012,
          .warnings = {"a", "b"}};
}

std::string refusal(const std::string& bytes) {
  const File file(bytes);
  std::string message = message_of<DataError>([&] { read_results(file.path()); });
  if (message.starts_with(file.path())) message.replace(0, file.path().size(), "FILE");
  return message;
}

TEST(Results, ReadBackAsTheyWereWritten) {
  RunResult failed = some_run();
  failed.run = 2;
  failed.lengths = {};
  failed.features = {};
  failed.views = {};
  failed.mean_correlation = {};
  failed.failure = "no cannot-link pair";
  const File file(to_json_line(some_facts()) + to_json_line(some_run()) + to_json_line(failed));
  const ResultsFile read = read_results(file.path());
  EXPECT_FALSE(read.incomplete_from);
  const ExperimentFacts& facts = read.results.facts;
  EXPECT_EQ(facts.version, "1.2.3");
  EXPECT_EQ(facts.command, some_facts().command);
  EXPECT_EQ(facts.seed, some_facts().seed);
  EXPECT_EQ(facts.settings, some_facts().settings);
  EXPECT_EQ(facts.methods, some_facts().methods);
  ASSERT_EQ(facts.data_sets.size(), 1U);
  EXPECT_EQ(facts.data_sets[0].classes, some_facts().data_sets[0].classes);
  EXPECT_EQ(facts.data_sets[0].labeled(), 150);

  ASSERT_EQ(read.results.runs.size(), 2U);
  const RunResult& run = read.results.runs[0];
  EXPECT_EQ(run.lengths, some_run().lengths);
  EXPECT_EQ(run.features, some_run().features);
  EXPECT_EQ(run.views[0].accuracy, some_run().views[0].accuracy);
  EXPECT_EQ(run.views[1].view, Viewpoint::realistic);
  EXPECT_TRUE(std::isnan(run.mean_correlation[1]));
  EXPECT_EQ(run.peak_memory_bytes, 123456789012);
  EXPECT_EQ(to_json_line(run), to_json_line(some_run()));
  EXPECT_EQ(to_json_line(read.results.runs[1]), to_json_line(failed));
}

TEST(Results, ReadBackConstraintsClustersAndOptionsIfThereAreAny) {
  ExperimentFacts facts = some_facts();
  facts.options = {{.method = "cls:n_neighbors=5",
                    .options = {{"n_neighbors", Index{5}}, {"form", std::string("sum")}}}};
  RunResult five = some_run();
  five.n_constraints = 5;
  five.kmeans = KmeansResult{.rand = {0.5, 1.0}, .adjusted_rand = {-0.25, 1.0}, .nmi = {0.0, 0.5}};
  RunResult ten = five;
  ten.n_constraints = 10;
  const File file(to_json_line(facts) + to_json_line(five) + to_json_line(ten));
  const ExperimentResults read = read_results(file.path()).results;
  EXPECT_EQ(to_json_line(read.facts), to_json_line(facts));
  EXPECT_EQ(read.facts.options[0].options, facts.options[0].options);
  ASSERT_EQ(read.runs.size(), 2U);
  EXPECT_EQ(to_json_line(read.runs[0]), to_json_line(five));
  EXPECT_EQ(read.runs[1].n_constraints, 10);
  EXPECT_EQ(to_json_line(some_run()).find("n_constraints"), std::string::npos);
  EXPECT_EQ(to_json_line(some_run()).find("kmeans"), std::string::npos);
  EXPECT_EQ(refusal(to_json_line(facts) + to_json_line(five) + to_json_line(five)),
            "FILE:3: run 1 of cls:n_neighbors=5 on iris with 3 labels per class and 5 constraints "
            "is there a second time");
}

TEST(Results, LeaveOutALastLineWithoutItsEndAndSayWhereItBegins) {
  const std::string whole = to_json_line(some_facts()) + to_json_line(some_run());
  RunResult next = some_run();
  next.run = 2;
  const std::string cut = to_json_line(next);
  for (const std::size_t length : {std::size_t{1}, cut.size() / 2, cut.size() - 1}) {
    const File file(whole + cut.substr(0, length));
    const ResultsFile read = read_results(file.path());
    EXPECT_EQ(read.results.runs.size(), 1U);
    ASSERT_TRUE(read.incomplete_from);
    EXPECT_EQ(*read.incomplete_from, std::ssize(whole));
  }
}

TEST(Results, RefuseWhatIsNoResultsFile) {
  const std::string facts = to_json_line(some_facts());
  EXPECT_EQ(refusal(""), "FILE: there is no whole line of results");
  EXPECT_EQ(refusal("half a line"), "FILE: there is no whole line of results");
  for (const std::string start : {"{", "{\"schema\":\"ta", "{\"schema\":\"tamis/results/1\",\"ve"})
    EXPECT_EQ(refusal(start),
              "FILE: is cut off within its first line and holds no result: remove it and begin "
              "anew");
  EXPECT_EQ(refusal("a,b\n1,2\n"), "FILE:1: this is no first line of a results file");
  EXPECT_EQ(refusal("{}\n"), "FILE:1: this is no results file of tamis evaluate");
  EXPECT_EQ(refusal("[1]\n"), "FILE:1: this is no first line of a results file");
  EXPECT_EQ(refusal("{\"schema\":\"tamis/results/2\"}\n"),
            "FILE:1: schema tamis/results/2 is of another version of tamis; this one reads "
            "tamis/results/1");
  EXPECT_EQ(refusal(facts + "{\"data_set\":\"iris\"}\n"), "FILE:2: labels_per_class is missing");
  EXPECT_EQ(refusal(facts + "[]\n"), "FILE:2: the JSON should be an object, not []");
  EXPECT_EQ(refusal(facts + "run 1\n"), "FILE:2: this is no run of a results file");
  EXPECT_EQ(message_of<IoError>([] { read_results("/no/such/file"); }),
            "/no/such/file: No such file or directory");
}

TEST(Results, RefuseRunsThatDoNotFitTheFirstLine) {
  const std::string facts = to_json_line(some_facts());
  RunResult other_method = some_run();
  other_method.method = "lsdf";
  EXPECT_EQ(refusal(facts + to_json_line(other_method)),
            "FILE:2: the first line has no method 'lsdf'");
  RunResult other_data = some_run();
  other_data.data_set = "wine";
  EXPECT_EQ(refusal(facts + to_json_line(other_data)),
            "FILE:2: the first line has no data set 'wine'");
  EXPECT_EQ(refusal(facts + to_json_line(some_run()) + to_json_line(some_run())),
            "FILE:3: run 1 of cls:n_neighbors=5 on iris with 3 labels per class is there a second "
            "time");
  RunResult uneven = some_run();
  uneven.views[1].accuracy.pop_back();
  EXPECT_EQ(refusal(facts + to_json_line(uneven)),
            "FILE:2: accuracy has 1 entries for 2 numbers of features");
}

TEST(Results, RefuseNumbersThatCannotBe) {
  const auto refused = [](const std::function<void(RunResult&)>& change) {
    RunResult run = some_run();
    change(run);
    return refusal(to_json_line(some_facts()) + to_json_line(run));
  };
  EXPECT_EQ(refused([](RunResult& run) { run.features.back() = 99; }),
            "FILE:2: features[1] = 99 is not within 0 and 3");
  EXPECT_EQ(refused([](RunResult& run) { run.features.back() = -1; }),
            "FILE:2: features[1] = -1 is not within 0 and 3");
  EXPECT_EQ(refused([](RunResult& run) { run.features.back() = run.features.front(); }),
            "FILE:2: features names a feature twice");
  EXPECT_EQ(refused([](RunResult& run) { run.lengths.back() = 1'000'000'000'000'000'000; }),
            "FILE:2: lengths[1] = 1000000000000000000 is not within 1 and 4");
  EXPECT_EQ(refused([](RunResult& run) { std::ranges::reverse(run.lengths); }),
            "FILE:2: lengths do not ascend");
  EXPECT_EQ(refused([](RunResult& run) { run.views[0].accuracy[0] = 1e308; }),
            "FILE:2: accuracy[0] = 1e+308 is not within 0 and 1.000000001");
  EXPECT_EQ(refused([](RunResult& run) { run.views[0].accuracy[0] = std::nan(""); }),
            "FILE:2: accuracy[0] = nan is not within 0 and 1.000000001");
  EXPECT_EQ(refused([](RunResult& run) { run.cpu_seconds = -1.0; }),
            "FILE:2: cpu_seconds = -1 is not within 0 and 1000000000000");
  EXPECT_EQ(refused([](RunResult& run) { run.run = -1; }),
            "FILE:2: run = -1 is not within 0 and 9223372036854775807");
  EXPECT_EQ(refused([](RunResult& run) { run.n_constraints = -1; }),
            "FILE:2: n_constraints = -1 is not within 0 and 9223372036854775807");
  EXPECT_EQ(refused([](RunResult& run) {
              run.kmeans = KmeansResult{{1.0}, {1.0, 1.0}, {0, 0}};
            }),
            "FILE:2: rand has 1 entries for 2 numbers of features");
  EXPECT_EQ(refused([](RunResult& run) {
              run.kmeans = KmeansResult{{0, 2.0}, {0, 0}, {0, 0}};
            }),
            "FILE:2: rand[1] = 2 is not within 0 and 1.000000001");
  EXPECT_EQ(refused([](RunResult& run) {
              run.kmeans = KmeansResult{{0, 0}, {0, -2.0}, {0, 0}};
            }),
            "FILE:2: adjusted_rand[1] = -2 is not within -1.000000001 and 1.000000001");
  EXPECT_EQ(refused([](RunResult& run) {
              run.kmeans = KmeansResult{{0, 0}, {0, 0}, {0, -1.0}};
            }),
            "FILE:2: nmi[1] = -1 is not within 0 and 1.000000001");
  ExperimentFacts facts = some_facts();
  facts.data_sets[0].features = 0;
  EXPECT_EQ(refusal(to_json_line(facts)),
            "FILE:1: features of iris = 0 is not within 1 and 9223372036854775807");
  const std::string line = to_json_line(some_run());
  const std::size_t place = line.find("\"run\":") + 6;
  EXPECT_TRUE(refusal(to_json_line(some_facts()) + line.substr(0, place) + "1.5" +
                      line.substr(line.find(',', place)))
                  .ends_with("run should be a whole number, not 1.5"));
}

}  // namespace
}  // namespace tamis
