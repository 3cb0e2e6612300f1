#include "evaluation/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/ties.hpp"

namespace tamis {
namespace {

constexpr Index kFewRuns = 10;
constexpr double kLevel = 0.05;

const MethodSummary* best_of(const DataSetSummary& data, bool among_controls) {
  const MethodSummary* best = nullptr;
  for (const MethodSummary& method : data.methods)
    if (is_control(method.method) == among_controls && !method.per_run.empty() &&
        (best == nullptr || (method.mean > best->mean && !are_tied(method.mean, best->mean))))
      best = &method;
  return best;
}

std::string with_mean(const MethodSummary& method) {
  return fmt::format("{} ({:.3f})", method.method, method.mean);
}

/// The best method beside the best control: what it is worth choosing features at all.
std::string best_sentence(const DataSetSummary& data) {
  const MethodSummary* const method = best_of(data, /*among_controls=*/false);
  const MethodSummary* const control = best_of(data, /*among_controls=*/true);
  if (method == nullptr || control == nullptr)
    return fmt::format("{} did best.", with_mean(method == nullptr ? *control : *method));
  return fmt::format("Of the methods {} did best, of the controls {}.", with_mean(*method),
                     with_mean(*control));
}

/// Those of one finding, with their differences where these say more than the finding.
std::string finding_sentence(const DataSetSummary& data, Finding finding) {
  const bool is_open = finding == Finding::not_shown;
  std::vector<std::string> names;
  for (const MethodSummary& method : data.methods) {
    if (!method.against_random || method.method == kAllFeatures ||
        method.against_random->finding != finding)
      continue;
    const auto& [mean, low, high] = method.against_random->difference;
    names.push_back(
        is_open ? fmt::format("{} ({:+.3f}, {:+.3f} to {:+.3f})", method.method, mean, low, high)
                : method.method);
  }
  if (names.empty()) return "";
  const bool is_one = names.size() == 1;
  const std::string_view verdict = finding == Finding::better  ? "better than"
                                   : finding == Finding::worse ? "worse than"
                                                               : "not shown to differ from";
  return fmt::format("{} {} {} random features.", enumerated(names), is_one ? "is" : "are",
                     verdict);
}

Index runs_of(const DataSetSummary& data) {
  Index runs = 0;
  for (const MethodSummary& method : data.methods)
    if (method.against_random) runs = std::max(runs, method.against_random->runs);
  return runs;
}

}  // namespace

std::string enumerated(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::vector<std::string> findings(const DataSetSummary& data) {
  if (std::ranges::all_of(data.methods, [](const auto& method) { return method.per_run.empty(); }))
    return {};
  std::vector<std::string> sentences{best_sentence(data)};
  for (const Finding finding : {Finding::better, Finding::worse, Finding::not_shown})
    if (std::string sentence = finding_sentence(data, finding); !sentence.empty())
      sentences.push_back(std::move(sentence));
  const Index runs = runs_of(data);
  if (runs == 0)
    sentences.emplace_back("One run cannot tell whether a method is better than random features.");
  else if (runs < kFewRuns)
    sentences.push_back(
        fmt::format("{} runs are few: what was not shown may show with more of them.", runs));
  return sentences;
}

std::vector<std::string> limits_of(const Comparison& comparison) {
  std::vector<std::string> sentences;
  if (!comparison.friedman) return sentences;
  const Index data_sets = comparison.friedman->data_sets;
  const auto widest = static_cast<double>(comparison.methods.size() - 1);
  if (comparison.friedman->critical_difference_05 >= widest)
    sentences.push_back(fmt::format(
        "{} data sets are too few to tell {} methods apart by their ranks: no two can be {:.3f} "
        "apart.",
        data_sets, comparison.methods.size(), comparison.friedman->critical_difference_05));
  if (!comparison.against_random.empty() && critical_wins(data_sets, kLevel) > data_sets)
    sentences.push_back(fmt::format(
        "{} data sets are too few for a sign test: even wins on all of them may be chance.",
        data_sets));
  return sentences;
}

}  // namespace tamis
