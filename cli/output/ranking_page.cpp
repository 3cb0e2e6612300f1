#include <filesystem>

#include "cli/output/ranking_output.hpp"
#include "report/html_report.hpp"

namespace tamis::cli {

void write_page(const Arguments& arguments, const RankingPlan& plan, const RankingRun& run,
                PageData data, ReportFile& report) {
  const RankingResult result = result_of(arguments, plan, run);
  RankingFacts facts = ranking_facts(result, typed_command(arguments), plan.method->info.title,
                                     std::move(data.facts));
  facts.plane = std::move(data.plane);
  const Index all = std::ssize(run.ranking.order);
  if (features_on_page(all) < all) {
    facts.every_feature = std::filesystem::path(report.path_beside()).filename().string();
    report.write_beside(ranking_csv(run, run.ranking.order));
  }
  report.write(html_report(facts, result.ranking));
}

}  // namespace tamis::cli
