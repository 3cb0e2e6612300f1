#include "evaluation/run_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/counted.hpp"

namespace tamis {
namespace {

/// With the method first, as most warnings have it already.
std::string by_method(const std::string& method, const std::string& warning) {
  const std::string first = method + ": ";
  return warning.starts_with(first) ? warning : first + warning;
}

}  // namespace

std::vector<std::string> warning_notes(const ExperimentResults& results) {
  std::map<std::string, std::pair<std::string, Index>> seen;
  for (const RunResult& run : results.runs)
    if (!run.warnings.empty())
      ++seen.try_emplace(run.method, run.warnings.front(), 0).first->second.second;
  std::vector<std::string> notes;
  for (const auto& [method, warning] : seen)
    notes.push_back(fmt::format("{} ({} warned)", by_method(method, warning.first),
                                counted(warning.second, "run")));
  return notes;
}

std::optional<std::string> failure_note(const ExperimentResults& results) {
  const auto failed = [](const RunResult& run) { return run.failure.has_value(); };
  const auto first = std::ranges::find_if(results.runs, failed);
  if (first == results.runs.end()) return std::nullopt;
  return fmt::format("{} of {} failed; the first: {} on {} with {} labels per class, run {}: {}",
                     std::ranges::count_if(results.runs, failed),
                     counted(std::ssize(results.runs), "run"), first->method, first->data_set,
                     first->labels_per_class, first->run, *first->failure);
}

}  // namespace tamis
