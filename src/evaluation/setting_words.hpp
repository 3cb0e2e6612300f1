#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evaluation/results.hpp"

namespace tamis {

/// "per class", or "in all" if that is what the experiment counts.
std::string_view labels_unit(const ExperimentFacts& facts);

/// "3 labels per class", or "in all" if that is what the experiment counts.
std::string labels_words(const ExperimentFacts& facts, Index labels);

/// "3 labels per class, transfer view", "10 constraints of 3 labels per class, transfer view"
std::string setting_words(const ExperimentFacts& facts, Index labels,
                          std::optional<Index> n_constraints, Viewpoint view);

}  // namespace tamis
