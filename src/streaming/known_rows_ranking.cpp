#include "streaming/known_rows_ranking.hpp"

#include "constraints/constraint_set.hpp"
#include "prepare/owned_problem.hpp"
#include "streaming/chosen_rows.hpp"

namespace tamis {
namespace {

void append_values(DenseTable<float>& table, std::span<const double> row) {
  for (const double value : row) table.values.push_back(static_cast<float>(value));
  ++table.rows;
}
void append_values(DenseTable<double>& table, std::span<const double> row) {
  table.values.insert(table.values.end(), row.begin(), row.end());
  ++table.rows;
}
template <class T>
void append_values(CsrTable<T>& table, std::span<const double> row) {
  for (Index r = 0; r < std::ssize(row); ++r)
    if (row[r] != 0.0) {
      table.columns.push_back(static_cast<ColumnIndex>(r));
      table.values.push_back(static_cast<T>(row[r]));
    }
  table.offsets.push_back(std::ssize(table.columns));
}

/// What is known of the given rows, and nothing of two more.
Knowledge with_two_strangers(const Knowledge& whole, const std::vector<Index>& rows) {
  Knowledge known = known_about(whole, rows);
  if (!known.sample_ids.empty())
    known.sample_ids.insert(known.sample_ids.end(), {"least values", "largest values"});
  if (!known.labels.empty()) known.labels.insert(known.labels.end(), 2, kUnlabeled);
  if (!known.values.empty()) known.values.insert(known.values.end(), 2, kUnknownValue);
  return known;
}

OwnedTable empty_table(const StreamedProblem& problem) {
  if (problem.is_sparse && problem.is_single) return CsrTable<float>{.cols = problem.cols};
  if (problem.is_sparse) return CsrTable<double>{.cols = problem.cols};
  if (problem.is_single) return DenseTable<float>{.rows = 0, .cols = problem.cols};
  return DenseTable<double>{.rows = 0, .cols = problem.cols};
}

}  // namespace

KnownRowsRanking::KnownRowsRanking(RankingPlan plan, StreamedProblem problem)
    : plan_(std::move(plan)), problem_(std::move(problem)), rows_(known_rows(problem_.known)) {
  const ConstraintSet checked(problem_.known, problem_.rows);  // rows still have their numbers here
}

std::vector<PassPlan> KnownRowsRanking::passes() const {
  const Index ranges = problem_.cols * 2 * Index{sizeof(double)};
  // A list that grows by doubling is twice as large for a while.
  return {
      {std::string(ChosenRowsState::kKind), ranges + 3 * problem_.bytes_of(std::ssize(rows_) + 2)}};
}

Index KnownRowsRanking::result_bytes() const {
  constexpr Index kCopies = 4;  // the table, and what methods make of it
  return kCopies * problem_.bytes_of(std::ssize(rows_) + 2);
}

std::optional<Pass> KnownRowsRanking::next_pass() {
  if (table_) return std::nullopt;
  return ChosenRowsState::pass(rows_, problem_.cols);
}

void KnownRowsRanking::accept(std::unique_ptr<PassState> state) {
  auto& answer = static_cast<ChosenRowsState&>(*state);
  const ColumnRanges& ranges = answer.ranges();
  refuse_bad_values(ranges.bad_values(), problem_);
  table_ = answer.take_table().value_or(empty_table(problem_));
  std::visit(
      [&](auto& table) {
        append_values(table, ranges.least());
        append_values(table, ranges.largest());
      },
      *table_);
}

Ranking KnownRowsRanking::ranked(const Run& run) {
  const OwnedProblem part(std::move(*table_), problem_.feature_names,
                          with_two_strangers(problem_.known, rows_), {});
  return plan_.rank(part.problem(), run);
}

}  // namespace tamis
