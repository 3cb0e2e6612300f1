#pragma once

#include <functional>

#include "tamis/methods/fw_semifs.hpp"

namespace tamis {

/// The unlabeled rows that draw number `draw` of an iteration takes, both from 0.
using SampleDraws = std::function<std::vector<Index>(Index iteration, Index draw)>;

/// fw_semifs on given samples; options say all but their size.
Ranking fw_semifs_on_samples(const Problem& problem, const FwSemifsOptions& options,
                             const SampleDraws& draws, const Run& run);

}  // namespace tamis
