#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/bad_values.hpp"
#include "streaming/pass.hpp"
#include "tamis/core/knowledge.hpp"
#include "tamis/core/ranking.hpp"

namespace tamis {

/// What there is to say of a table before it is read.
struct StreamedProblem {
  Index rows = 0;
  Index cols = 0;
  bool is_single = false;
  bool is_sparse = false;
  std::vector<std::string> feature_names = {};  ///< one per column, or empty: columns have numbers
  Knowledge known = {};

  /// Memory that so many rows take, as doubles.
  Index bytes_of(Index n_rows) const { return n_rows * cols * Index{sizeof(double)}; }
};

/// @throws DataError as check_problem does, but for values, which are not known yet
void check_problem(const StreamedProblem& problem);

/// @throws DataError naming the first bad value, if there are any
void refuse_bad_values(const BadValues& bad, const StreamedProblem& problem);

/// What the n-th reading of a table is for, and the memory that is held meanwhile, blocks of rows
/// excluded.
struct PassPlan {
  std::string kind = {};
  Index bytes = 0;
};

/// Where answers and what follows from them may be.
struct AnswerSpace {
  Index bytes = 0;  ///< of memory where rows answer
  /// Whether all answers are held there too, as by a process that does everything; else somebody
  /// else holds them.
  bool is_all = true;
  bool is_kept = false;  ///< answers are copied while they are there, for a checkpoint
  std::optional<std::string> folder = std::nullopt;  ///< for temporary files
};

/// How somebody asks a table that is never seen as a whole. Whoever drives it reads the table once
/// for each pass, in whatever runs of rows, on whatever machines:
///
///     conversation.report_to(run);
///     while (const auto pass = conversation.next_pass()) {
///       auto state = state_of(*pass);
///       for (each run of rows) state->update(block, first_row);
///       conversation.accept(std::move(state));
///     }
///     Ranking ranking = conversation.result(run);
///
/// The same answers lead to the same questions: a conversation is repeated from the bytes of
/// states.
class Conversation {
 public:
  Conversation() = default;
  virtual ~Conversation() = default;
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  /// What there is for passes and result(), blocks of rows excluded: who can do with less memory in
  /// more passes does so. Before the first pass, if at all.
  virtual void fit(const AnswerSpace&) {}
  /// All passes: before the first, those that are foreseen. Where it depends on the table how many
  /// there are, further ones of the same kinds are here as soon as they are known.
  virtual std::vector<PassPlan> passes() const = 0;
  /// Whether the table alone decides when it is enough.
  virtual bool is_open_ended() const { return false; }
  /// Memory that result() takes.
  virtual Index result_bytes() const = 0;
  /// Whether it would take much less if there were a folder for temporary files.
  virtual bool wants_folder() const { return false; }
  /// Rows of a block with which it gets on fastest, if there is memory for them.
  virtual Index rows_liked() const { return 0; }

  /// Who listens to what is computed between passes; by default nobody.
  virtual void report_to(const Run& /*run*/) {}

  /// The next question; nothing if all is known.
  virtual std::optional<Pass> next_pass() = 0;
  /// The answer of all rows to it.
  /// @throws DataError if the table turns out to be one that no method can rank
  virtual void accept(std::unique_ptr<PassState> state) = 0;
};

/// One that ends with a ranking of the columns.
class RankingConversation : public Conversation {
 public:
  Ranking result(const Run& run);
  /// What is to be said of the result besides.
  void warn(std::string warning) { warnings_.push_back(std::move(warning)); }

 private:
  virtual Ranking ranked(const Run& run) = 0;

  std::vector<std::string> warnings_;
};

}  // namespace tamis
