#pragma once

#include <string>

#include "cli/terminal.hpp"
#include "tamis/evaluation/summary.hpp"

namespace tamis::cli {

/// The summary of an experiment for people, and as one JSON object.
std::string summary_text(const ExperimentFacts& facts, const Summary& summary,
                         const Screen& screen);
std::string summary_json(const ExperimentFacts& facts, const Summary& summary);

}  // namespace tamis::cli
