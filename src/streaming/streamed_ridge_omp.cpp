#include "streaming/streamed_ridge_omp.hpp"

#include <algorithm>

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

/// The most memory that a question takes for the columns, with its answer: pages of a histogram;
/// slots as they are counted (they take no memory where they are asked for), and some of them as
/// they are accepted; codes of slots, three times as they are asked for; further, those of decoys
/// likewise, and among them what the allocator does not give back of the slots before.
Index column_bytes(LevelRanking::Asks question, Index cols) {
  constexpr Index kDecoyColumns = 2000;  // of a stratum
  if (question == LevelRanking::Asks::scan) return cols * 24'000;
  if (question == LevelRanking::Asks::levels) return cols * 280'000;
  if (question == LevelRanking::Asks::crossed)
    return cols * 250'000 + std::min(cols, kDecoyColumns) * 80'000;
  return cols * 130'000;
}

/// Some rows as codes, and some of these as matrix products take them: as numbers, or packed.
Index code_block_bytes(Index cols) {
  constexpr Index kTaken =
      kCodeRows *
      std::max(Index{sizeof(double)}, static_cast<Index>(kBlocksAtOnce * sizeof(std::int16_t)));
  return cols * (kChunkRows * Index{sizeof(std::int16_t)} + kTaken);
}

template <class Question>
auto& answer_of(PassState& state) {
  return static_cast<LevelState<Question>&>(state).answer();
}

}  // namespace

StreamedRidgeOmp::StreamedRidgeOmp(StreamedProblem problem, const RidgeOmpOptions& options,
                                   std::uint64_t seed, const MethodInfo& asker)
    : problem_(std::move(problem)),
      ranking_(problem_.rows, problem_.cols, problem_.known, options, seed, asker) {}

std::vector<PassPlan> StreamedRidgeOmp::passes() const {
  std::vector<PassPlan> plan;
  for (const LevelRanking::Asks question : ranking_.questions()) {
    const bool has_codes =
        question != LevelRanking::Asks::scan && question != LevelRanking::Asks::levels;
    plan.push_back({std::string(kind_of(question)),
                    column_bytes(question, problem_.cols) + dense_bytes() +
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

/// What is known of the columns comes from memory for each block anew.
Index StreamedRidgeOmp::rows_liked() const { return kChunkRows; }

std::optional<Pass> StreamedRidgeOmp::next_pass() {
  const LevelRanking::Asks question = ranking_.asks();
  if (question == LevelRanking::Asks::nothing) return std::nullopt;
  return Pass{std::string(kind_of(question)), ByteWriter::written([&](ByteWriter& writer) {
                if (question == LevelRanking::Asks::scan)
                  writer.put(problem_.cols);
                else
                  write(ranking_.levels(), writer);
                if (question == LevelRanking::Asks::codes) write(ranking_.code_rows(), writer);
                if (question == LevelRanking::Asks::shares)
                  write(ranking_.share_question(), writer);
                if (question == LevelRanking::Asks::crossed)
                  write(ranking_.crossed_question(), writer);
              })};
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

}  // namespace tamis
