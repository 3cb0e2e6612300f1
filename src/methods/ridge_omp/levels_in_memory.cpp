#include "methods/ridge_omp/levels_in_memory.hpp"

#include <algorithm>

#include "methods/preconditions.hpp"
#include "methods/ridge_omp/level_ranking.hpp"

namespace tamis {
namespace {

/// Some columns at a time: what is counted of one is many times what is kept of it.
template <class T>
void count_levels(LevelRanking& ranking, const DenseView<T>& table) {
  constexpr Index kColumns = 256;
  const Index stride = table.rows() > 1 ? table.row(1) - table.row(0) : table.cols();
  for (Index first = 0; first < table.cols(); first += kColumns) {
    const Index count = std::min(kColumns, table.cols() - first);
    LevelCounts counts(std::span(ranking.levels()).subspan(first, count));
    counts.update(DenseView<T>(table.row(0) + first, table.rows(), count, stride));
    ranking.accept(std::move(counts), first);
  }
}

template <class T>
void count_levels(LevelRanking& ranking, const CsrView<T>& table) {
  LevelCounts counts(ranking.levels());
  counts.update(table);
  ranking.accept(std::move(counts));
}

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
      return table.visit([&](const auto& view) { count_levels(ranking, view); });
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
  Progress::Stage stage(progress, "looking at the table", std::ssize(ranking.questions()));
  while (ranking.asks() != LevelRanking::Asks::nothing) {
    const LevelRanking::Asks asked = ranking.asks();
    answer(ranking, table);
    if (ranking.asks() != asked) stage.advance();
  }
}

Ranking ridge_omp_on_levels(const Problem& problem, const RidgeOmpOptions& options,
                            const Run& run) {
  check_needs(options.info, problem);
  LevelRanking ranking(problem.rows(), problem.cols(), problem.known, options, run.seed);
  ask(ranking, problem.matrix, run.progress);
  return ranking.result(run);
}

}  // namespace tamis
