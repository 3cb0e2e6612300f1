#pragma once

#include <string>
#include <vector>

#include "tamis/core/problem.hpp"

namespace tamis {

/// Reads a CSV of pairs `a,b,kind[,weight]` (with or without that header; kind = must | cannot): a
/// and b are sample ids if the table has ids, else 0-based rows.
/// @throws DataError naming file, line and cause: unknown id, self pair, unknown kind, bad weight
PairConstraints read_pairs(const std::string& path, Index rows,
                           const std::vector<std::string>& sample_ids);

}  // namespace tamis
