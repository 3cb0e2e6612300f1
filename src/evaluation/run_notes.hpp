#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluation/results.hpp"

/// What people should hear of an experiment besides its numbers.
namespace tamis {

/// The first warning of each method, which may have come in every run.
std::vector<std::string> warning_notes(const ExperimentResults& results);

/// How many runs failed, and why the first of them did; nothing if none.
std::optional<std::string> failure_note(const ExperimentResults& results);

}  // namespace tamis
