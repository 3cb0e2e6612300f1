#include "tamis/registry/methods.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>

#include "support/message_of.hpp"
#include "support/sample.hpp"
#include "support/source_root.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

const std::filesystem::path kSourceRoot = source_root();

TEST(Registry, EveryMethodHasItsFilesItsTestsAndItsPage) {
  for (const Method& method : methods()) {
    const std::string name(method.info.name);
    const bool has_folder = std::filesystem::exists(kSourceRoot / ("src/methods/" + name));
    const std::string source = "src/methods/" + (has_folder ? name + "/" : "") + name;
    for (const std::string& path :
         {"include/tamis/methods/" + name + ".hpp", source + ".cpp",
          "tests/methods/" + name + "_test.cpp", "docs/methods/" + name + ".md"})
      EXPECT_TRUE(std::filesystem::exists(kSourceRoot / path)) << path << " is missing";
  }
}

TEST(Registry, EveryPageBelongsToAMethod) {
  for (const auto& file : std::filesystem::directory_iterator(kSourceRoot / "docs/methods")) {
    if (file.path().filename() == "README.md") continue;
    EXPECT_NO_THROW(find_method(file.path().stem().string())) << file.path();
  }
}

TEST(Registry, IsAlphabeticalWithoutRepetition) {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.emplace_back(method.info.name);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

TEST(Registry, SaysSomethingAboutEveryMethodAndOption) {
  for (const Method& method : methods()) {
    EXPECT_FALSE(method.info.title.empty()) << method.info.name;
    EXPECT_FALSE(method.info.reference.empty()) << method.info.name;
    for (const OptionInfo& option : method.options)
      EXPECT_FALSE(option.help.empty()) << method.info.name << " " << option.name;
  }
}

TEST(Registry, RunsEveryMethodWithItsDefaults) {
  const test::StoredSample stored(test::blobs(30, 5, 3, /*seed=*/1));
  for (const Method& method : methods()) {
    const Ranking ranking = method.rank(stored.problem(), {}, {});
    EXPECT_EQ(ranking.scores.size(), 5U) << method.info.name;
    EXPECT_TRUE(ranking.diagnostics.undefined.empty()) << method.info.name;
  }
}

TEST(Registry, EveryMethodTakesANumericTargetDoesNotMindItOrRefusesItByName) {
  test::Sample sample = test::regression(30, 5, /*seed=*/1);
  const test::StoredSample stored(sample);
  sample.values.clear();
  const test::StoredSample plain(sample);
  for (const Method& method : methods()) {
    SCOPED_TRACE(method.info.name);
    const auto rank = [&] { return method.rank(stored.problem(), {}, {}); };
    if (method.info.takes_values) {
      EXPECT_EQ(rank().order.front(), 0);
    } else if (method.info.supervision == Supervision::unsupervised) {
      EXPECT_EQ(rank().scores, method.rank(plain.problem(), {}, {}).scores);
    } else {
      const std::string who(method.info.name == "csfsr" ? "csfs" : method.info.name);  // its base
      EXPECT_EQ(message_of<DataError>(rank), who + " takes classes, not a numeric target");
    }
  }
  EXPECT_EQ(methods_for_values(), "relieff and ridge_omp");
}

/// Scores, order and judgements of a ranking, as bits.
std::vector<std::uint64_t> bits_of(const Ranking& ranking) {
  std::vector<std::uint64_t> bits(ranking.order.begin(), ranking.order.end());
  for (const double score : ranking.scores) bits.push_back(std::bit_cast<std::uint64_t>(score));
  if (ranking.relevance)
    for (const double q : ranking.relevance->q) bits.push_back(std::bit_cast<std::uint64_t>(q));
  return bits;
}

bool depends_on_the_seed(const Method& method, const Problem& problem, const OptionTexts& options) {
  const auto ranked = [&](std::uint64_t seed) {
    Run run;
    run.seed = seed;
    return bits_of(method.rank(problem, options, run));
  };
  return ranked(0) != ranked(1) || ranked(0) != ranked(2);
}

TEST(Registry, SaysOfEveryMethodWhetherChanceDecidesAnything) {
  const test::StoredSample blobs(test::blobs_with_pairs(45, 30, /*per_class=*/5, /*seed=*/2));
  // These draw some pairs if there are many, and which they draw matters if pairs disagree.
  const std::map<std::string_view, OptionTexts> few_pairs{
      {"csfs", {{"max_pairs", "20"}}}, {"csfsr", {{"base", "csfs:max_pairs=20"}}}};
  test::Sample incoherent{.x = test::random_table(45, 3, /*seed=*/3)};
  for (Index i = 0; i < 45; ++i) incoherent.labels.push_back(i % 3);
  const test::StoredSample noise(incoherent);
  for (const Method& method : methods()) {
    const auto found = few_pairs.find(method.info.name);
    const bool depends = found == few_pairs.end()
                             ? depends_on_the_seed(method, blobs.problem(), {})
                             : depends_on_the_seed(method, noise.problem(), found->second);
    EXPECT_EQ(depends, method.info.draws) << method.info.name;
  }
}

TEST(Registry, AcceptsTheTextOfEveryDefault) {
  for (const Method& method : methods()) {
    OptionTexts texts;
    for (const auto& [name, value] : method.resolve({})) texts[name] = to_text(value);
    EXPECT_EQ(method.resolve(texts), method.resolve({})) << method.info.name;
    EXPECT_EQ(texts.size(), method.options.size()) << method.info.name;
  }
}

TEST(Registry, ReadsOptionsFromTheirTexts) {
  const NamedValues values = find_method("sselect").resolve({{"eta", "auto"}});
  EXPECT_TRUE(std::ranges::count(values, std::pair(std::string("eta"), OptionValue("auto"))));
  EXPECT_THROW(find_method("sselect").resolve({{"eta", "2"}}), InvalidArgument);
  EXPECT_NE(message_of<InvalidArgument>([] {
              find_method("cls").resolve({{"n_neighbours", "3"}});
            }).find("n_neighbors"),
            std::string::npos);
}

std::string csfsr_complaint(const std::string& base) {
  return message_of<InvalidArgument>([&] { find_method("csfsr").resolve({{"base", base}}); });
}

/// The table of the differences between our defaults and the papers.
TEST(Registry, KnowsWhatThePapersSet) {
  const std::map<std::string, std::string> expected{
      {"laplacian_score", "bandwidth=0.1 bandwidth_unit=absolute must_link_edges=true "},
      {"sc4", "bandwidth=0.1 bandwidth_unit=absolute must_link_edges=true "},
      {"cls", "bandwidth=0.1 bandwidth_unit=absolute condense=som "},
      {"csfs", "form=full bandwidth=0.1 bandwidth_unit=absolute condense=som "},
      {"csfsr", "base=csfs:settings=paper "},
      {"ens_cls", "combine=literal bandwidth=0.1 bandwidth_unit=absolute form=ensemble "},
      {"bcs", "vote=true "},
      {"l2gfs", "restarts=20 "}};
  for (const Method& method : methods()) {
    std::string set;
    for (const auto& [option, value] : values_of(method, method.info.paper))
      set += option + "=" + to_text(value) + " ";
    const auto found = expected.find(std::string(method.info.name));
    EXPECT_EQ(set, found == expected.end() ? "" : found->second) << method.info.name;
    for (const auto& [option, value] : method.info.paper) {
      const auto info = std::ranges::find(method.options, std::string(option), &OptionInfo::name);
      ASSERT_NE(info, method.options.end()) << method.info.name << " has no " << option;
      EXPECT_NE(to_text(info->default_value), value) << method.info.name << ": " << option;
    }
  }
}

TEST(Registry, LetsCsfsrRankWithAnyMethodByName) {
  const test::StoredSample stored(test::blobs(30, 5, 3, /*seed=*/1));
  for (const Method& method : methods()) {
    if (method.info.selects_subset) continue;
    const OptionTexts options{{"base", std::string(method.info.name)}};
    const Ranking ranking = find_method("csfsr").rank(stored.problem(), options, {});
    EXPECT_EQ(ranking.scores, method.rank(stored.problem(), {}, {}).scores) << method.info.name;
    EXPECT_TRUE(ranking.subset && ranking.redundancy);
  }
}

TEST(Registry, PassesTheOptionsOfItsBaseToIt) {
  const test::StoredSample stored(test::blobs(30, 5, 3, /*seed=*/1));
  const Ranking ranking =
      find_method("csfsr").rank(stored.problem(), {{"base", "laplacian_score:n_neighbors=3"}}, {});
  EXPECT_EQ(
      ranking.scores,
      find_method("laplacian_score").rank(stored.problem(), {{"n_neighbors", "3"}}, {}).scores);
}

TEST(Registry, RefusesABaseThatIsUnknownOrChoosesASubsetOrHasABadOption) {
  EXPECT_EQ(csfsr_complaint("laplace_score"),
            "csfsr: base: there is no method 'laplace_score'; did you mean 'laplacian_score'?");
  EXPECT_EQ(csfsr_complaint("csfsr"),
            "csfsr: base: csfsr chooses a subset itself; name a method that ranks all features");
  EXPECT_EQ(csfsr_complaint("cls:n_neighbors=0"), "csfsr: base: cls: n_neighbors = 0 must be >= 1");
  EXPECT_EQ(csfsr_complaint(""), "csfsr: base = '' is not a name");
}

TEST(Registry, SuggestsANearNameForAnUnknownMethod) {
  EXPECT_EQ(message_of<InvalidArgument>([] { find_method("laplace_score"); }),
            "there is no method 'laplace_score'; did you mean 'laplacian_score'?");
}

TEST(Registry, ListsTheMethodsWhenNoNameIsNear) {
  EXPECT_NE(message_of<InvalidArgument>([] { find_method("xyzzy"); }).find("cls, constraint_score"),
            std::string::npos);
}

}  // namespace
}  // namespace tamis
