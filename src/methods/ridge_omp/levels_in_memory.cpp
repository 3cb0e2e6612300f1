#include "methods/ridge_omp/levels_in_memory.hpp"

#include <algorithm>

#include "methods/preconditions.hpp"
#include "methods/ridge_omp/level_ranking.hpp"

namespace tamis {
namespace {

/// Columns whose slots are counted at once: what is counted of one is many times what is kept.
constexpr Index kColumns = 256;

/// The answer of a whole table to what is asked.
void answer(LevelRanking& ranking, const MatrixView& table) {
  const auto accept = [&](auto sums, const auto&... first_row) {
    sums.update(table, first_row...);
    ranking.accept(std::move(sums));
  };
  switch (ranking.asks()) {
    case LevelRanking::Asks::scan:
      return accept(ColumnScan(table.cols()));
    case LevelRanking::Asks::levels:
      return accept(LevelCounts(
          std::span(ranking.levels()).subspan(ranking.part().first, ranking.part().count()),
          ranking.part().first));
    case LevelRanking::Asks::codes:
      return accept(CodeSums(ranking.levels(), ranking.code_rows()), Index{0});
    case LevelRanking::Asks::shares:
      return accept(ShareSums(ranking.levels(), ranking.share_question()));
    case LevelRanking::Asks::crossed:
      return accept(CrossedSums(ranking.levels(), ranking.crossed_question()), Index{0});
    case LevelRanking::Asks::nothing:
      return;
  }
}

}  // namespace

void ask(LevelRanking& ranking, const MatrixView& table, const Progress& progress) {
  ranking.divide({.levels = (table.cols() + kColumns - 1) / kColumns});
  const Index foreseen = std::ssize(ranking.questions());
  Progress::Stage stage(progress, "looking at the table", foreseen);
  for (Index done = 0; ranking.asks() != LevelRanking::Asks::nothing; ++done) {
    answer(ranking, table);
    if (done < foreseen) stage.advance();
  }
}

Ranking ridge_omp_on_levels(const Problem& problem, const RidgeOmpOptions& options,
                            const Run& run) {
  check_needs(options.info, problem);
  LevelRanking ranking(problem.rows(), problem.cols(), problem.known, options, run.seed);
  ranking.set_feature_groups(problem.feature_groups);
  ask(ranking, problem.matrix, run.progress);
  return ranking.result(run, problem.feature_names);
}

}  // namespace tamis
