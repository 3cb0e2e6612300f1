#include "evaluation/setting_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"

namespace tamis {

std::string_view labels_unit(const ExperimentFacts& facts) {
  const auto budget = std::ranges::find(facts.settings, std::string("label_budget"),
                                        &NamedValues::value_type::first);
  const bool is_in_all = budget != facts.settings.end() && to_text(budget->second) == "in_all";
  return is_in_all ? "in all" : "per class";
}

std::string labels_words(const ExperimentFacts& facts, Index labels) {
  return fmt::format("{} {}", counted(labels, "label"), labels_unit(facts));
}

std::string setting_words(const ExperimentFacts& facts, Index labels,
                          std::optional<Index> n_constraints, Viewpoint view) {
  return fmt::format("{}{}, {} view",
                     n_constraints ? counted(*n_constraints, "constraint") + " of " : "",
                     labels_words(facts, labels), word_of(view));
}

}  // namespace tamis
