#include "results/relevance_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tamis {
namespace {

/// The number of features at which choosing ended, whatever others would have added.
Index most_chosen(const RankingTask& task) {
  const auto number = [](const NamedValues& values, std::string_view name) {
    const auto found = std::ranges::find(values, name, &NamedValues::value_type::first);
    return found == values.end() ? Index{0} : std::get<Index>(found->second);
  };
  return task.diversify ? number(*task.diversify, "n_candidates")
                        : number(task.options, "n_greedy");
}

std::string_view what_they_have_to_do_with(const RankingTask& task, const Relevance& relevance) {
  if (relevance.null == Null::labels) return "the labels";
  if (relevance.label_p) return "the labels or with other columns";
  return task.data.must_link + task.data.cannot_link > 0 ? "the pairs or with other columns"
                                                         : "other columns";
}

}  // namespace

std::string relevance_text(const RankingTask& task, const Relevance& relevance) {
  const Index backed = relevance.n_backed;
  const std::string_view at_least = backed == most_chosen(task) && backed > 0 ? "at least " : "";
  const std::string adds = backed == 0 ? "no feature adds"
                                       : fmt::format("{}{} {}", at_least, backed,
                                                     backed == 1 ? "feature adds" : "features add");
  const std::string have =
      relevance.n_relevant == 0
          ? "none has"
          : fmt::format("{} {}", relevance.n_relevant, relevance.n_relevant == 1 ? "has" : "have");
  return fmt::format("{} what chance would not; {} to do with {} (q ≤ {})", adds, have,
                     what_they_have_to_do_with(task, relevance), relevance.fdr);
}

}  // namespace tamis
