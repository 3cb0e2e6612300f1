#include <filesystem>

#include "cli/output/ranking_output.hpp"
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

void write_page(const Arguments& arguments, const RankingPlan& plan, const RankingRun& run,
                ReportFile& report) {
  const RankingResult result = result_of(arguments, plan, run);
  RankingFacts facts = ranking_facts(result, typed_command(arguments), plan.method->info.title,
                                     data_facts(arguments, run.data.problem));
  facts.plane = row_plane(run.data.problem, run.ranking);
  const Index all = std::ssize(run.ranking.order);
  if (features_on_page(all) < all) {
    facts.every_feature = std::filesystem::path(report.path_beside()).filename().string();
    report.write_beside(ranking_csv(run, run.ranking.order));
  }
  report.write(html_report(facts, result.ranking));
}

}  // namespace tamis::cli
