#include "results/relevance_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tamis {
namespace {

/// Whether choosing ended before chance could add as much as the next feature. It is among the
/// relevant ones: where none of them is left, there is no next.
bool ended_early(const Relevance& relevance) {
  const Index backed = relevance.n_backed;
  return backed > 0 && backed == std::ssize(relevance.step_p) && backed < relevance.n_relevant;
}

std::string_view what_they_have_to_do_with(const RankingTask& task, const Relevance& relevance) {
  const bool has_values = task.data.classes < 2 && task.data.targets > 0;
  if (relevance.null == Null::labels) return has_values ? "the target" : "the labels";
  if (has_values) return "the target or with other columns";
  if (relevance.label_p) return "the labels or with other columns";
  return task.data.must_link + task.data.cannot_link > 0 ? "the pairs or with other columns"
                                                         : "other columns";
}

}  // namespace

std::string relevance_text(const RankingTask& task, const Relevance& relevance) {
  const Index backed = relevance.n_backed;
  const std::string_view at_least = ended_early(relevance) ? "at least " : "";
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
