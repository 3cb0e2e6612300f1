#pragma once

#include "methods/fw_semifs/leave_one_out.hpp"

namespace tamis {

/// Sequential forward selection: from nothing, adds the candidate with which most rows are right,
/// until there are `count`. `floating` (Pudil, Novovicova, Kittler, Pattern Recognition Letters 15,
/// 1994): after each addition and while more than two are left, removes one but the last, the best
/// to remove, ties to the one chosen first, if more rows are right than ever were with so many
/// columns. `stop_early`: ends when no addition gets more rows right. Columns as they were chosen.
std::vector<Index> forward_selection(const LeaveOneOut& judge, std::span<const Index> candidates,
                                     Index count, bool floating, bool stop_early);

}  // namespace tamis
