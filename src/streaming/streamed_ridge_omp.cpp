#include "streaming/streamed_ridge_omp.hpp"

#include "levels/column_chunks.hpp"
#include "streaming/level_states.hpp"

namespace tamis {
namespace {

std::string_view kind_of(LevelRanking::Asks question) {
  switch (question) {
    case LevelRanking::Asks::scan:
      return ScanQuestion::kKind;
    case LevelRanking::Asks::levels:
      return LevelsQuestion::kKind;
    case LevelRanking::Asks::codes:
      return CodesQuestion::kKind;
    case LevelRanking::Asks::shares:
      return SharesQuestion::kKind;
    case LevelRanking::Asks::crossed:
      return JudgingQuestion::kKind;
    case LevelRanking::Asks::nothing:
      break;
  }
  return "";
}

/// The most memory that a question takes per column, with its answer: pages of a histogram; slots
/// as they are counted, and three times as they are asked for; codes of slots, asked for likewise;
/// further, codes of decoys.
Index bytes_per_column(LevelRanking::Asks question) {
  if (question == LevelRanking::Asks::scan) return 24'000;
  if (question == LevelRanking::Asks::levels) return 480'000;
  return question == LevelRanking::Asks::crossed ? 230'000 : 130'000;
}

/// Some rows as codes, and some of these as numbers that matrix products take.
Index code_block_bytes(Index cols) {
  return cols * (kChunkRows * Index{sizeof(std::int16_t)} + kCodeRows * Index{sizeof(double)});
}

template <class Question>
auto& answer_of(PassState& state) {
  return static_cast<LevelState<Question>&>(state).answer();
}

}  // namespace

StreamedRidgeOmp::StreamedRidgeOmp(StreamedProblem problem, const RidgeOmpOptions& options,
                                   std::uint64_t seed, std::optional<std::string> warning)
    : problem_(std::move(problem)),
      ranking_(problem_.rows, problem_.cols, problem_.known, options, seed),
      warning_(std::move(warning)) {}

std::vector<PassPlan> StreamedRidgeOmp::passes() const {
  std::vector<PassPlan> plan;
  for (const LevelRanking::Asks question : ranking_.questions()) {
    const bool has_codes =
        question != LevelRanking::Asks::scan && question != LevelRanking::Asks::levels;
    plan.push_back({std::string(kind_of(question)),
                    problem_.cols * bytes_per_column(question) + dense_bytes() +
                        (has_codes ? products_bytes() + code_block_bytes(problem_.cols) : 0)});
  }
  return plan;
}

/// Rows of a sparse block that are made dense at once.
Index StreamedRidgeOmp::dense_bytes() const {
  if (!problem_.is_sparse) return 0;
  return kDenseRows * problem_.cols *
         (problem_.is_single ? Index{sizeof(float)} : Index{sizeof(double)});
}

/// Products of all pairs of columns, as they are asked for and as correlations; known rows, as
/// codes, as ranks, and without the columns of a fold.
Index StreamedRidgeOmp::products_bytes() const {
  const CodeRows& rows = ranking_.code_rows();
  const Index matrices = rows.labeled.are_asked() && !rows.labeled.are_all() ? 4 : 2;
  return matrices * 4 * problem_.cols * problem_.cols + std::ssize(rows.kept) * problem_.cols * 24;
}

Index StreamedRidgeOmp::result_bytes() const { return passes().back().bytes; }

std::optional<Pass> StreamedRidgeOmp::next_pass() {
  const LevelRanking::Asks question = ranking_.asks();
  if (question == LevelRanking::Asks::nothing) return std::nullopt;
  ByteWriter writer;
  if (question == LevelRanking::Asks::scan)
    writer.put(problem_.cols);
  else
    write(ranking_.levels(), writer);
  if (question == LevelRanking::Asks::codes) write(ranking_.code_rows(), writer);
  if (question == LevelRanking::Asks::shares) write(ranking_.share_question(), writer);
  if (question == LevelRanking::Asks::crossed) write(ranking_.crossed_question(), writer);
  return Pass{std::string(kind_of(question)), writer.take()};
}

void StreamedRidgeOmp::accept(std::unique_ptr<PassState> state) {
  switch (ranking_.asks()) {
    case LevelRanking::Asks::scan:
      refuse_bad_values(static_cast<const LevelState<ScanQuestion>&>(*state).bad_values(),
                        problem_.known, problem_.feature_names);
      return ranking_.accept(answer_of<ScanQuestion>(*state));
    case LevelRanking::Asks::levels:
      return ranking_.accept(std::move(answer_of<LevelsQuestion>(*state)));
    case LevelRanking::Asks::codes:
      return ranking_.accept(answer_of<CodesQuestion>(*state));
    case LevelRanking::Asks::shares:
      return ranking_.accept(answer_of<SharesQuestion>(*state));
    case LevelRanking::Asks::crossed:
      return ranking_.accept(answer_of<JudgingQuestion>(*state));
    case LevelRanking::Asks::nothing:
      return;
  }
}

Ranking StreamedRidgeOmp::result(const Run& run) {
  Ranking ranking = ranking_.result(run);
  if (warning_) ranking.diagnostics.warnings.push_back(*warning_);
  return ranking;
}

}  // namespace tamis
