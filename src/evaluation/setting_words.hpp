#pragma once

#include <string>

#include "evaluation/results.hpp"

namespace tamis {

/// "3 labels per class", or "in all" if that is what the experiment counts.
std::string labels_words(const ExperimentFacts& facts, Index labels);

/// "3 labels per class, transfer view"
std::string setting_words(const ExperimentFacts& facts, Index labels, Viewpoint view);

}  // namespace tamis
