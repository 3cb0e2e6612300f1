#include <filesystem>

#include "cli/output/ranking_output.hpp"
#include "core/peak_memory.hpp"
#include "evaluation/data_set_facts.hpp"
#include "report/html_report.hpp"

namespace tamis::cli {
namespace {

DataSetFacts data_facts(const Arguments& arguments, const Problem& problem) {
  const std::string& path = arguments.operands.front();
  return data_set_facts(
      path == "-" ? name_of_input(path) : std::filesystem::path(path).filename().string(),
      name_of_input(path), problem);
}

}  // namespace

std::string ranking_page(const Arguments& arguments, const RankingPlan& plan,
                         const RankingRun& run) {
  RankingFacts facts{.version = TAMIS_VERSION,
                     .command = typed_command(arguments),
                     .seed = seed_of(arguments),
                     .method = std::string(plan.name()),
                     .title = std::string(plan.method->info.title),
                     .options = plan.resolved(),
                     .data = data_facts(arguments, run.data.problem),
                     .feature_names = run.data.problem.feature_names,
                     .must_link = run.data.must_link,
                     .cannot_link = run.data.cannot_link,
                     .seconds = run.seconds,
                     .peak_memory_bytes = peak_memory_bytes()};
  if (plan.bagging)
    for (auto& [name, value] : resolved_values(*plan.bagging))
      facts.options.emplace_back("bagging " + name, value);
  if (plan.diversify) facts.options.emplace_back("diversify", plan.diversify->n_candidates);
  return html_report(facts, run.ranking);
}

}  // namespace tamis::cli
