#include "streaming/conversation.hpp"

#include "tamis/core/problem.hpp"

namespace tamis {

void check_problem(const StreamedProblem& problem) {
  check_row_count(problem.rows);
  check_shape(problem.rows, problem.cols, problem.feature_names);
  check_knowledge(problem.known, problem.rows);
}

void refuse_bad_values(const BadValues& bad, const StreamedProblem& problem) {
  refuse_bad_values(bad, problem.known, problem.feature_names,
                    Remedy::Action::treat_missing_of_sample);
}

Ranking RankingConversation::result(const Run& run) {
  Ranking ranking = ranked(run);
  std::vector<std::string>& warnings = ranking.diagnostics.warnings;
  warnings.insert(warnings.end(), warnings_.begin(), warnings_.end());
  return ranking;
}

}  // namespace tamis
