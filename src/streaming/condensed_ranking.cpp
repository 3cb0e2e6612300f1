#include "streaming/condensed_ranking.hpp"

#include <fmt/format.h>

#include "core/option_texts.hpp"
#include "prepare/condense.hpp"
#include "tamis/core/error.hpp"
#include "tamis/prepare/condense_options.hpp"

namespace tamis {
namespace {

/// Takes the options of condensing out of those of a method.
CondenseOptions taken_from(RankingPlan& plan) {
  OptionTexts texts;
  for (const OptionInfo& option : describe_options<CondenseOptions>())
    if (auto node = plan.options.extract(option.name)) texts.insert(std::move(node));
  return parse_options<CondenseOptions>(plan.name(), texts);
}

}  // namespace

CondensedRanking::CondensedRanking(RankingPlan plan, StreamedProblem problem, std::uint64_t seed)
    : plan_(std::move(plan)),
      map_(std::move(problem), taken_from(plan_).som, StreamedMap::Keep::nothing, seed) {}

Index CondensedRanking::result_bytes() const {
  constexpr Index kCopies = 4;  // the table, and what methods make of it
  return kCopies * map_.problem().bytes_of(map_.most_rows());
}

Ranking CondensedRanking::ranked(const Run& run) {
  Diagnostics about_map;
  note_map(map_.som(), about_map);
  const OwnedProblem part = map_.result(run);
  Ranking ranking = plan_.rank(part.problem(), run);
  Diagnostics& notes = ranking.diagnostics;
  notes.figures.insert(notes.figures.begin(), about_map.figures.begin(), about_map.figures.end());
  notes.warnings.insert(notes.warnings.begin(), about_map.warnings.begin(),
                        about_map.warnings.end());
  return ranking;
}

}  // namespace tamis
