#include "evaluation/setting_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"

namespace tamis {

std::string labels_words(const ExperimentFacts& facts, Index labels) {
  const auto budget = std::ranges::find(facts.settings, std::string("label_budget"),
                                        &NamedValues::value_type::first);
  const bool is_in_all = budget != facts.settings.end() && to_text(budget->second) == "in_all";
  return counted(labels, "label") + (is_in_all ? " in all" : " per class");
}

std::string setting_words(const ExperimentFacts& facts, Index labels, Viewpoint view) {
  return fmt::format("{}, {} view", labels_words(facts, labels), word_of(view));
}

}  // namespace tamis
