#include "streaming/streamed_ridge_omp.hpp"

#include <algorithm>

#include "levels/column_chunks.hpp"
#include "levels/level_tree.hpp"
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

/// The most memory that a question takes for each column, with its answer: pages of a histogram;
/// slots as they are counted (they take no memory where they are asked for), and some of them as
/// they are accepted; codes of slots, three times as they are asked for; further, those of decoys
/// likewise, and among them what the allocator does not give back of the slots before.
constexpr Index kScanned = 24'000;
constexpr Index kCounted = 210'000;
constexpr Index kKept = 130'000;  // once they are counted
constexpr Index kCountedAndKept = 280'000;
constexpr Index kCodes = 130'000;
constexpr Index kJudged = 170'000;
constexpr Index kNotGivenBack = 80'000;
constexpr Index kDecoy = 80'000;
constexpr Index kDecoyColumns = 2000;  // of a stratum
/// Further, where every value has a slot of its own.
constexpr Index kFewRowsMore = 60'000;

/// Each part costs a look at the table: more of them would not be waited for.
constexpr Index kMostParts = 64;

Index most_columns(const std::vector<ColumnPart>& parts) {
  Index most = 0;
  for (const ColumnPart& part : parts) most = std::max(most, part.count());
  return most;
}

/// Some rows as codes, and some of these as matrix products take them: as numbers, or packed.
Index code_block_bytes(Index cols) {
  constexpr Index kTaken =
      kCodeRows *
      std::max(Index{sizeof(double)}, static_cast<Index>(kBlocksAtOnce * sizeof(std::int16_t)));
  return cols * (kChunkRows * Index{sizeof(std::int16_t)} + kTaken);
}

/// The levels that a question comes with.
std::span<const LevelTree> levels_asked(const LevelRanking& ranking) {
  const std::span all(ranking.levels());
  const ColumnPart part = ranking.part();
  if (ranking.asks() == LevelRanking::Asks::levels) return all.subspan(part.first, part.count());
  return ranking.asks() == LevelRanking::Asks::codes ? all.first(part.end) : all;
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

void StreamedRidgeOmp::fit(const AnswerSpace& space) {
  using enum LevelRanking::Asks;
  space_ = space;
  division_ = {.levels = kMostParts};  // first what would take too much even so
  const bool may_be_elsewhere = space.folder.has_value() || !space.is_all;
  if (may_be_elsewhere && std::max(question_bytes(codes), result_bytes()) > space.bytes) {
    division_.folder = space.folder;
    while (question_bytes(codes) > space.bytes && division_.products < kMostParts)
      ++division_.products;
  }
  division_.levels = 1;
  while (std::max(question_bytes(levels), result_bytes()) > space.bytes &&
         division_.levels < kMostParts)
    ++division_.levels;
  ranking_.divide(division_);
}

std::vector<PassPlan> StreamedRidgeOmp::passes() const {
  std::vector<PassPlan> plan;
  for (const LevelRanking::Asks question : ranking_.questions())
    plan.push_back({std::string(kind_of(question)), question_bytes(question)});
  return plan;
}

Index StreamedRidgeOmp::question_bytes(LevelRanking::Asks question) const {
  using enum LevelRanking::Asks;
  const Index cols = problem_.cols;
  if (question == scan) return cols * kScanned + sparse_bytes();
  const Index besides =
      sparse_bytes() + (problem_.rows <= kRowsWithOwnSlots ? cols * kFewRowsMore : 0);
  if (question == levels && division_.levels == 1) return cols * kCountedAndKept + besides;
  const Index counted = most_columns(even_parts(cols, division_.levels));
  if (question == levels) return cols * kKept + counted * kCounted + besides;
  const Index rows = code_block_bytes(cols) + known_bytes() + besides;
  if (question == codes)
    return cols * kCodes + rows + products_bytes() / division_.products * (space_.is_kept ? 2 : 1);
  const bool are_here = space_.is_all && !division_.folder;
  const Index held =
      are_here ? products_bytes() : std::min(products_bytes(), kTilesAtOnce * kTileBytes);
  if (question == shares) return cols * kCodes + rows + held;
  return cols * kJudged + counted * kNotGivenBack + std::min(cols, kDecoyColumns) * kDecoy + rows +
         held;
}

/// Rows of a sparse block, column by column.
Index StreamedRidgeOmp::sparse_bytes() const {
  return problem_.is_sparse ? kSparseRows * problem_.cols * kSparseBytes : 0;
}

/// Products of all pairs of columns, which become correlations where they are.
Index StreamedRidgeOmp::products_bytes() const {
  const LabeledRows& labeled = ranking_.code_rows().labeled;
  const Index matrices = labeled.are_asked() && !labeled.are_all() ? 2 : 1;
  const Index tiles = (problem_.cols + kTileSide - 1) / kTileSide;
  return matrices * tiles_before(tiles) * kTileBytes;
}

/// Known rows, as codes, as ranks, and without the columns of a fold.
Index StreamedRidgeOmp::known_bytes() const {
  return std::ssize(ranking_.code_rows().kept) * problem_.cols * 24;
}

Index StreamedRidgeOmp::result_bytes() const { return question_bytes(ranking_.questions().back()); }

bool StreamedRidgeOmp::wants_folder() const {
  return space_.is_all && !space_.folder && 4 * products_bytes() > result_bytes();
}

/// What is known of the columns comes from memory for each block anew.
Index StreamedRidgeOmp::rows_liked() const { return kChunkRows; }

std::optional<Pass> StreamedRidgeOmp::next_pass() {
  const LevelRanking::Asks question = ranking_.asks();
  if (question == LevelRanking::Asks::nothing) return std::nullopt;
  return Pass{std::string(kind_of(question)), ByteWriter::written([&](ByteWriter& writer) {
                if (question == LevelRanking::Asks::scan) return writer.put(problem_.cols);
                if (question == LevelRanking::Asks::levels || question == LevelRanking::Asks::codes)
                  writer.put(ranking_.part().first);
                write(levels_asked(ranking_), writer);
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
                        problem_);
      return ranking_.accept(answer_of<ScanQuestion>(*state));
    case LevelRanking::Asks::levels:
      return ranking_.accept(std::move(answer_of<LevelsQuestion>(*state)));
    case LevelRanking::Asks::codes:
      return ranking_.accept(std::move(answer_of<CodesQuestion>(*state)));
    case LevelRanking::Asks::shares:
      return ranking_.accept(answer_of<SharesQuestion>(*state));
    case LevelRanking::Asks::crossed:
      return ranking_.accept(answer_of<JudgingQuestion>(*state));
    case LevelRanking::Asks::nothing:
      return;
  }
}

}  // namespace tamis
