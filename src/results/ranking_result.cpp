#include "results/ranking_result.hpp"

#include "core/option_texts.hpp"
#include "results/json_fields.hpp"

namespace tamis {

ProblemFacts problem_facts(const Problem& problem) {
  return {.rows = problem.rows(),
          .features = problem.cols(),
          .labeled = std::ssize(labeled_rows(problem.known)),
          .classes = std::ssize(rows_by_class(problem.known)),
          .targets = std::ssize(valued_rows(problem.known)),
          .sparse = problem.matrix.is_sparse(),
          .precision = problem.matrix.is_single() ? "single" : "double"};
}

RankingTask ranking_task(const RankingPlan& plan, std::uint64_t seed, ProblemFacts data) {
  RankingTask task{.method = std::string(plan.name()),
                   .options = plan.resolved(),
                   .seed = seed,
                   .data = std::move(data)};
  if (plan.bagging) task.bagging = resolved_values(*plan.bagging);
  if (plan.diversify) task.diversify = resolved_values(*plan.diversify);
  return task;
}

std::string json_line(const RankingResult& result) {
  Json object = {{"schema", "tamis/ranking/1"}};
  object.update(json_of(result));
  return json_line(object);
}

}  // namespace tamis
