#include "streaming/streamed_ridge_omp.hpp"

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
  if (question == LevelRanking::Asks::levels) return 320'000;
  return question == LevelRanking::Asks::crossed ? 200'000 : 100'000;
}

template <class Question>
const auto& answer_of(const PassState& state) {
  return static_cast<const LevelState<Question>&>(state).answer();
}

}  // namespace

StreamedRidgeOmp::StreamedRidgeOmp(StreamedProblem problem, const RidgeOmpOptions& options,
                                   const Run& run)
    : problem_(std::move(problem)),
      ranking_(problem_.rows, problem_.cols, problem_.known, options, run) {}

std::vector<PassPlan> StreamedRidgeOmp::passes() const {
  std::vector<PassPlan> plan;
  for (const LevelRanking::Asks question : ranking_.questions()) {
    const bool has_products = plan.size() >= 2;
    plan.push_back({std::string(kind_of(question)), problem_.cols * bytes_per_column(question) +
                                                        (has_products ? products_bytes() : 0)});
  }
  return plan;
}

/// Products of all pairs of columns, as they are asked for and as correlations; known rows.
Index StreamedRidgeOmp::products_bytes() const {
  const CodeRows& rows = ranking_.code_rows();
  const Index matrices = rows.labeled.are_asked() && !rows.labeled.are_all() ? 4 : 2;
  return matrices * 4 * problem_.cols * problem_.cols + std::ssize(rows.kept) * problem_.cols * 12;
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
      return ranking_.accept(answer_of<LevelsQuestion>(*state));
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

Ranking StreamedRidgeOmp::result(const Run& /*run*/) { return ranking_.result(); }

}  // namespace tamis
