#pragma once

#include "report/html_report.hpp"
#include "report/page.hpp"

namespace tamis {

/// The name of a column, or its number.
std::string feature_name(const RankingFacts& facts, Index column);

/// "backed", "relevant" or "rest"; nothing for constant columns.
std::string part_text(std::optional<Part> part);

/// The features that a page holds, best first, with all that is known of each.
DataTable ranking_table(const RankingFacts& facts, const Ranking& ranking);

/// The best features: their scores, how sure it is that each adds something to those before it,
/// what the members of an ensemble said of them, and the tree of their correlations.
Figure score_figure(const RankingFacts& facts, const Ranking& ranking);
Figure step_figure(const RankingFacts& facts, const Ranking& ranking);
Figure place_figure(const RankingFacts& facts, const Ranking& ranking);
Figure best_share_figure(const RankingFacts& facts, const Ranking& ranking);
Figure redundancy_figure(const RankingFacts& facts, const Ranking& ranking);

}  // namespace tamis
