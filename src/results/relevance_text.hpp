#pragma once

#include <string>

#include "results/ranking_result.hpp"

namespace tamis {

/// How many features are worth it, in words: "12 features add what chance would not; 310 have to do
/// with the labels or with other columns (q ≤ 0.1)".
std::string relevance_text(const RankingTask& task, const Relevance& relevance);

}  // namespace tamis
