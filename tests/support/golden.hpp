#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/option_texts.hpp"
#include "support/sample.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis::test {

/// What one method must give on a golden problem; a null of the file is NaN.
struct GoldenCase {
  std::string method;
  OptionTexts options;
  std::string better;
  std::vector<double> scores;
};

/// The same of a method that chooses features one by one: scores are places, and `selected` is the
/// subset, if it keeps one.
struct GoldenPath : GoldenCase {
  SelectionPath path;
  std::optional<std::vector<Index>> selected;
};

/// What relieff must give for a numeric target; `target` has NaN where it is not known.
struct GoldenTarget : GoldenCase {
  std::vector<double> target;
};

struct Golden {
  Sample sample;
  std::vector<GoldenCase> cases;
  std::vector<GoldenPath> paths;
  GoldenTarget rrelieff;
  std::vector<RowPair> must_link;
  std::vector<RowPair> cannot_link;
};

inline constexpr const char* kGoldenNames[] = {"plain", "integers", "nasty"};

/// Values of an independent implementation, in tests/data/golden.
Golden load_golden(const std::string& name);

/// A CSV file with a header whose last column is the class; classes are numbered as they appear,
/// and an empty one is unlabeled. No quotes, no missing values.
Sample read_small_csv(const std::string& path);

/// Where a public data set is on this machine, or an empty text: looked for in the folder that the
/// environment variable TAMIS_DATA names, else in ../shared/data of the source tree.
std::string find_data(const std::string& file);

/// Calls compare(golden case, ranking) for those cases of each golden problem (`cases` or `paths`)
/// that belong to the method whose options these are.
template <class Options, class Case, class Compare>
void compare_golden(Ranking (*rank)(const Problem&, const Options&, const tamis::Run&),
                    std::vector<Case> Golden::*cases, Compare&& compare) {
  int checked = 0;
  for (const char* const name : kGoldenNames) {
    const Golden golden = load_golden(name);
    const StoredSample stored(golden.sample);
    for (const Case& golden_case : golden.*cases) {
      if (golden_case.method != Options::info.name) continue;
      testing::Message where;
      where << name;
      for (const auto& [option, text] : golden_case.options) where << " " << option << "=" << text;
      SCOPED_TRACE(where);
      compare(golden_case,
              rank(stored.problem(),
                   parse_options<Options>(Options::info.name, golden_case.options), {}));
      ++checked;
    }
  }
  EXPECT_GE(checked, 3);
}

/// How far scores may be from the reference, relative to the largest: maps and iterations end
/// somewhere near the optimum.
inline double golden_tolerance(const OptionTexts& options) {
  if (options.contains("condense")) return 1e-6;
  return options.contains("solver") && options.at("solver") == "nes" ? 2e-3 : 1e-9;
}

/// Runs every golden case of the method.
template <class Options>
void expect_golden(Ranking (*rank)(const Problem&, const Options&, const tamis::Run&)) {
  compare_golden(rank, &Golden::cases, [](const GoldenCase& golden, const Ranking& ranking) {
    EXPECT_EQ(word_of(ranking.better), golden.better);
    expect_scores_near(ranking.scores, golden.scores, golden_tolerance(golden.options));
  });
}

/// Runs every golden path of the method.
template <class Options>
void expect_golden_paths(Ranking (*rank)(const Problem&, const Options&, const tamis::Run&)) {
  compare_golden(rank, &Golden::paths, [](const GoldenPath& golden, const Ranking& ranking) {
    EXPECT_EQ(word_of(ranking.better), golden.better);
    expect_scores_near(ranking.scores, golden.scores, 0.0);
    EXPECT_EQ(ranking.path->features, golden.path.features);
    expect_scores_near(ranking.path->criterion, golden.path.criterion, 1e-9);
    EXPECT_EQ(ranking.subset, golden.selected);
  });
}

}  // namespace tamis::test
