#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/ranking_plan.hpp"

namespace tamis {

/// What was given: the member "data" of results.
struct ProblemFacts {
  std::optional<std::string> file = std::nullopt;
  std::string format = {};
  Index rows = 0;
  Index features = 0;
  Index labeled = 0;
  Index classes = 0;
  Index targets = 0;  ///< rows whose number, to be predicted, is known
  Index must_link = 0;
  Index cannot_link = 0;
  bool sparse = false;
  std::string precision = {};
  std::string scale = "none";

  static constexpr auto fields() {
    using Self = ProblemFacts;
    return field_list(named("file", &Self::file), named("format", &Self::format),
                      named("rows", &Self::rows), named("features", &Self::features),
                      named("labeled", &Self::labeled), named("classes", &Self::classes),
                      named("targets", &Self::targets), named("must_link", &Self::must_link),
                      named("cannot_link", &Self::cannot_link), named("sparse", &Self::sparse),
                      named("precision", &Self::precision), named("scale", &Self::scale));
  }
};

/// All but the file, its format and scaling, and the pairs.
ProblemFacts problem_facts(const Problem& problem);

/// What was run on what.
struct RankingTask {
  std::string method = {};
  NamedValues options = {};  ///< every option, resolved
  std::optional<NamedValues> bagging = std::nullopt;
  std::optional<NamedValues> diversify = std::nullopt;
  std::uint64_t seed = 0;
  ProblemFacts data = {};

  static constexpr auto fields() {
    using Self = RankingTask;
    return field_list(named("method", &Self::method),
                      named("options", &Self::options, Form::object),
                      named("bagging", &Self::bagging, Form::object),
                      named("diversify", &Self::diversify, Form::object),
                      named("seed", &Self::seed), named("data", &Self::data));
  }
};

RankingTask ranking_task(const RankingPlan& plan, std::uint64_t seed, ProblemFacts data);

/// A ranking with what was run and what it took.
struct RankingResult {
  std::string version = {};
  RankingTask task = {};
  std::vector<std::string> names = {};  ///< of the columns
  Ranking ranking = {};
  std::optional<std::vector<Index>> selected = std::nullopt;  ///< columns that were asked for
  double seconds = 0.0;                                       ///< of the method
  std::int64_t peak_memory_bytes = 0;

  static constexpr auto fields() {
    using Self = RankingResult;
    const auto [better, scores, order, subset, committee, redundancy, relevance, path, diversity,
                terms, iterations, diagnostics] = nested_fields(&Self::ranking);
    return joined(field_list(named("version", &Self::version)), nested_fields(&Self::task),
                  field_list(better, named("names", &Self::names), scores, order,
                             named("selected", &Self::selected, Form::list), committee, redundancy,
                             relevance, path, diversity, terms, iterations, diagnostics,
                             named("seconds", &Self::seconds),
                             named("peak_memory_bytes", &Self::peak_memory_bytes)));
  }
};

/// The object of schema tamis/ranking/1, on one line.
std::string json_line(const RankingResult& result);

}  // namespace tamis
