#pragma once

#include <string>

#include "cli/console/terminal.hpp"
#include "evaluation/summary.hpp"

namespace tamis::cli {

/// The summary of an experiment for people.
std::string summary_text(const ExperimentFacts& facts, const Summary& summary,
                         const Screen& screen);

}  // namespace tamis::cli
