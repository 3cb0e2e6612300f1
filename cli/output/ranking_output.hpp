#pragma once

#include <string>

#include "cli/commands/ranking_run.hpp"
#include "cli/output/report_file.hpp"
#include "evaluation/results.hpp"
#include "report/row_plane.hpp"

namespace tamis::cli {

/// What a page shows of a table besides its ranking.
struct PageData {
  DataSetFacts facts;
  std::optional<RowPlane> plane = std::nullopt;  ///< if its rows are in memory
};

/// Writes the page to look at and, if there are too many features for a page, a CSV file of them
/// all beside it.
void write_page(const Arguments& arguments, const RankingPlan& plan, const RankingRun& run,
                PageData data, ReportFile& report);

/// What became of each feature, if the method chose a subset; else nothing.
std::vector<std::string> fates_of(const RankingRun& run);

/// rank,feature,column,score of the given columns; what is undefined is empty. Tables of an
/// ensemble also say how sure each place is, those of features in an order of what each adds why
/// they stand where they do, those of judged features q and part, those of a method that chooses a
/// subset what became of each.
std::string ranking_csv(const RankingRun& run, const std::vector<Index>& columns);

/// For a terminal: aligned, cut to its width, with bars from the worst score (none) to the best.
std::string ranking_table(const RankingRun& run, const Screen& screen, bool shows_all);

/// For a pipe: rank, feature, score and the same additions between tabs, after a header.
std::string ranking_text(const RankingRun& run);

}  // namespace tamis::cli
