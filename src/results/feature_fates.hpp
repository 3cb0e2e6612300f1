#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tamis/core/ranking.hpp"

namespace tamis {

/// What became of each column, if the method chose a subset: "kept", "removed: repeats f0, |rho|
/// 0.98", or nothing for one that was no candidate. Empty for other methods.
std::vector<std::string> feature_fates(const Ranking& ranking,
                                       const std::function<std::string(Index column)>& name_of);

}  // namespace tamis
