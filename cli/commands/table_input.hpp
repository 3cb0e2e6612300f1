#pragma once

#include <memory>
#include <optional>

#include "cli/commands/load.hpp"
#include "results/ranking_result.hpp"
#include "streaming/checkpoint.hpp"
#include "streaming/conversation.hpp"
#include "streaming/drive.hpp"
#include "streaming/memory_plan.hpp"

namespace tamis::cli {

/// A table that is read in runs of rows, and what is known about it.
struct OpenedStream {
  TableStream table;
  StreamedProblem problem;
  std::vector<Index> true_labels;
  Index must_link = 0;
  Index cannot_link = 0;
};

/// Bytes that the process may hold: what --memory says, or most of what is there.
Index memory_of(const Arguments& arguments);

/// Whether the table of a command is read whole, as can be told without a look into it: it fits, or
/// flags need all of it. @param is_forced whether flags want runs of rows
bool is_read_whole(const Arguments& arguments, Index memory, bool is_forced);

/// The table of a command, to be read in runs of rows: because it does not fit into the memory, or
/// because it is to be read so. Nothing if it is to be read whole.
/// @param forced_by which flags, for messages; empty: none
/// @throws InvalidArgument if flags need the whole table, or if it has no runs of rows and does not
/// fit
std::optional<TableStream> open_runs(const Arguments& arguments, Index memory,
                                     std::string_view forced_by, const Voice& voice);

/// What is known about it, checked. Says what was assumed.
OpenedStream with_knowledge(TableStream table, const Arguments& arguments, const Voice& voice);

/// What was read, for the member "data" of JSON objects.
ProblemFacts stream_facts(const Arguments& arguments, const OpenedStream& stream);

/// @throws InvalidArgument for a flag that needs a look at all rows before the first is used
void refuse_looks_ahead(const Arguments& arguments, const Remedy& remedy);

/// A conversation with a table, planned: how many rows there are in memory, and where answers are
/// kept meanwhile.
class PlannedReading {
 public:
  /// Says how often the table is read.
  /// @param facts what a checkpoint (--checkpoint) depends on
  /// @throws InvalidArgument if the memory does not suffice
  PlannedReading(const Arguments& arguments, Conversation& conversation, RowSource& source,
                 Index memory, Checkpoint::Facts facts, const Voice& voice);

  Index rows_at_once() const { return plan_.rows_at_once; }

  template <class Conversation>
  auto converse(Conversation& conversation, const Run& run) {
    auto result =
        tamis::converse(conversation, source_, plan_.rows_at_once, run, checkpoint_.get());
    if (checkpoint_) checkpoint_->remove();
    return result;
  }

 private:
  RowSource& source_;
  MemoryPlan plan_;
  std::unique_ptr<Checkpoint> checkpoint_;
};

/// How often a command reads a table: between readings there is something to keep.
enum class Readings { one, many };

/// --memory, --spill and, of many readings, --checkpoint.
std::vector<Flag> memory_flags(Readings readings = Readings::many);

}  // namespace tamis::cli
