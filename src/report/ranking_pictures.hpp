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
Picture score_picture(const RankingFacts& facts, const Ranking& ranking);
Picture step_picture(const RankingFacts& facts, const Ranking& ranking);
Picture place_picture(const RankingFacts& facts, const Ranking& ranking);
Picture best_share_picture(const RankingFacts& facts, const Ranking& ranking);
Picture redundancy_picture(const RankingFacts& facts, const Ranking& ranking);

/// Of scores made of several terms: each term, sorted. Needs ranking.terms.
Picture term_picture(const RankingFacts& facts, const Ranking& ranking);

/// Of methods that cluster: the objective and the broken constraints of each iteration. Need
/// ranking.iterations.
Picture convergence_picture(const Ranking& ranking);
Picture violation_picture(const Ranking& ranking);

/// Rows along the two best features, and their pairs. Needs facts.plane.
Picture plane_picture(const RankingFacts& facts);

}  // namespace tamis
