#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/results.hpp"
#include "evaluation/summary.hpp"
#include "report/row_plane.hpp"
#include "results/ranking_result.hpp"

/// Reports to look at: one page each, self-contained, the same for the same input to the last byte.
namespace tamis {

/// What was ranked, and how: enough to run it again.
struct RankingFacts {
  std::string version;
  std::string command;  ///< as typed
  std::uint64_t seed = 0;
  std::string method;
  std::string title = {};                       ///< of the method, in words
  NamedValues options = {};                     ///< every option, resolved
  DataSetFacts data = {};                       ///< classes: the labeled rows of each
  std::vector<std::string> feature_names = {};  ///< empty: columns have numbers
  Index targets = 0;                            ///< rows whose number, to be predicted, is known
  Index must_link = 0;
  Index cannot_link = 0;
  std::string every_feature =
      {};  ///< file beside the page that lists them all; empty: there is none
  std::optional<RowPlane> plane = std::nullopt;
  std::string judgement = {};  ///< how many features are worth it, in words; empty: not judged
  double seconds = 0.0;
  std::int64_t peak_memory_bytes = 0;
};

/// What a result says of itself, and what it does not know.
RankingFacts ranking_facts(const RankingResult& result, std::string command, std::string_view title,
                           DataSetFacts data);

/// How many of so many features a page holds: all, or the first thousand if they are too many for
/// a page. Then facts should name a file that lists every feature.
Index features_on_page(Index all);

std::string html_report(const RankingFacts& facts, const Ranking& ranking);

std::string html_report(const ExperimentResults& results, const Summary& summary);

}  // namespace tamis
