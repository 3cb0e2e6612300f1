#include "cli/commands/table_input.hpp"

#include <fmt/format.h>

#include "cli/commands/contained_read.hpp"
#include "core/counted.hpp"
#include "io/memory_rows.hpp"
#include "io/random_access_file.hpp"
#include "io/spill.hpp"
#include "streaming/checkpoint_facts.hpp"
#include "streaming/whole_file.hpp"
#include "tamis/core/error.hpp"

namespace tamis::cli {
namespace {

/// A table of a format that has no runs of rows, read whole.
TableStream read_whole(const std::string& path, const ReadOptions& options, Index memory,
                       bool can_be_spilled) {
  refuse_too_large(path, memory,
                   can_be_spilled
                       ? "--spill DIR makes such a file of it first, in a folder with as much room "
                         "as its numbers take"
                       : "convert it, in Python for instance with numpy.lib.format.open_memmap, a "
                         "part at a time");
  std::string fingerprint = file_size_of(path) > 0 ? file_fingerprint(path) : path;
  return stream_of(read_contained(path, options), std::move(fingerprint));
}

/// Its numbers put into a temporary file.
TableStream spilled(const std::string& path, const ReadOptions& options, const std::string& folder,
                    Index memory, const Voice& voice) {
  voice.say(fmt::format("{} has no runs of rows: its numbers are put into a temporary file in {}",
                        printable(name_of_input(path)), printable(folder)));
  return spill_table(path, options, folder, piece_within(memory));
}

TableStream open_any(const Arguments& arguments, const std::string& path, Index memory,
                     const Voice& voice) {
  const ReadOptions options = read_options(arguments);
  const bool is_file = file_size_of(path) > 0;
  const bool can_be_spilled = is_file && can_spill(path, options);
  if (const auto folder = arguments.text("spill"); folder && can_be_spilled)
    return spilled(path, options, *folder, memory, voice);
  if (is_file && !can_be_spilled)  // else all of a text would be read to find that out
    if (auto stream = open_contained(path, options)) return std::move(*stream);
  return read_whole(path, options, memory, can_be_spilled);
}

/// The flag for which runs of rows do not do; empty if there is none.
std::string_view needs_whole_table(const Arguments& arguments) {
  if (arguments.is_on("transpose")) return "transpose";
  return read_options(arguments).encode != Encode::refuse ? "encode" : "";
}

MemoryPlan planned(const Arguments& arguments, Conversation& conversation, const RowSource& source,
                   Index memory) {
  try {
    return plan_memory(
        source, conversation, memory,
        {.is_kept = arguments.text("checkpoint").has_value(), .folder = arguments.text("spill")});
  } catch (const InvalidArgument& error) {
    if (!conversation.wants_folder()) throw;
    throw InvalidArgument(
        fmt::format("{}; --spill DIR does with less: what is known of pairs of columns goes to a "
                    "temporary file there",
                    error.what()));
  }
}

}  // namespace

Index memory_of(const Arguments& arguments) {
  if (const auto text = arguments.text("memory"))
    return parse_bytes(arguments.command->name, "--memory", *text);
  return usual_memory();
}

bool is_read_whole(const Arguments& arguments, Index memory, bool is_forced) {
  return !needs_whole_table(arguments).empty() ||
         (!is_forced && fits_for_sure(arguments.operands.front(), memory));
}

std::optional<TableStream> open_runs(const Arguments& arguments, Index memory,
                                     std::string_view forced_by, const Voice& voice) {
  const std::string& path = arguments.operands.front();
  const std::string_view whole = needs_whole_table(arguments);
  if (!whole.empty() && !forced_by.empty())
    throw InvalidArgument(
        fmt::format("--{} needs the whole table in memory: leave out {}", whole, forced_by));
  if (is_read_whole(arguments, memory, !forced_by.empty())) return std::nullopt;
  TableStream table = open_any(arguments, path, memory, voice);
  if (forced_by.empty() && fits_in_memory(*table.rows, memory)) return std::nullopt;
  return table;
}

OpenedStream with_knowledge(TableStream table, const Arguments& arguments, const Voice& voice) {
  const std::string& path = arguments.operands.front();
  voice.notes(name_of_input(path), table.notes);
  LoadedKnowledge loaded = load_knowledge(path, table, arguments, voice);
  StreamedProblem problem{.rows = table.rows->rows(),
                          .cols = table.rows->cols(),
                          .is_single = table.rows->is_single(),
                          .is_sparse = table.rows->is_sparse(),
                          .feature_names = table.feature_names,
                          .known = std::move(loaded.known)};
  naming_file(path, [&] { check_problem(problem); });
  const ConstraintSet pairs = constraints_of(problem.known, problem.rows, arguments);
  return {.table = std::move(table),
          .problem = std::move(problem),
          .true_labels = std::move(loaded.true_labels),
          .must_link = pairs.n_must_link(),
          .cannot_link = pairs.n_cannot_link()};
}

ProblemFacts stream_facts(const Arguments& arguments, const OpenedStream& stream) {
  const StreamedProblem& problem = stream.problem;
  return {.file = arguments.operands.front(),
          .format = std::string(stream.table.format.name),
          .rows = problem.rows,
          .features = problem.cols,
          .labeled = std::ssize(labeled_rows(problem.known)),
          .classes = std::ssize(rows_by_class(problem.known)),
          .targets = std::ssize(valued_rows(problem.known)),
          .must_link = stream.must_link,
          .cannot_link = stream.cannot_link,
          .sparse = problem.is_sparse,
          .precision = problem.is_single ? "single" : "double"};
}

void refuse_looks_ahead(const Arguments& arguments, const Remedy& remedy) {
  if (scale_of(arguments) != ScalingKind::none)
    throw InvalidArgument("--scale needs a look at all rows before the first is used", remedy);
  if (missing_of(arguments) != Missing::refuse)
    throw InvalidArgument("--missing needs a look at all rows before the first is used", remedy);
}

PlannedReading::PlannedReading(const Arguments& arguments, Conversation& conversation,
                               RowSource& source, Index memory, Checkpoint::Facts facts,
                               const Voice& voice)
    : source_(source), plan_(planned(arguments, conversation, source, memory)) {
  if (const auto folder = arguments.text("checkpoint")) {
    facts.push_back(fact_of_passes(conversation));
    checkpoint_ = std::make_unique<Checkpoint>(*folder, std::move(facts));
  }
  const auto passes = conversation.passes().size();
  voice.say(fmt::format(
      "the table is read {}{}, {} at a time, within {} of memory{}",
      passes == 1 ? "once" : fmt::format("{} times", passes),
      conversation.is_open_ended() ? " or more, until rows settle" : "",
      counted(plan_.rows_at_once, "row"), bytes_text(memory),
      checkpoint_ && checkpoint_->rows_found() > 0
          ? fmt::format("; {} were read before", counted(checkpoint_->rows_found(), "row"))
          : ""));
}

std::vector<Flag> memory_flags(Readings readings) {
  const std::string group = "Tables larger than memory";
  std::vector<Flag> flags{
      {.name = "memory",
       .takes = Takes::text,
       .value = "SIZE",
       .help = "read the table in runs of rows, as often as it takes, within so much memory, such "
               "as 4G (default: only if it does not fit into 80 % of what is there)",
       .group = group},
      {.name = "spill",
       .takes = Takes::text,
       .value = "DIR",
       .help = "of a table that does not fit and has no runs of rows, as it is delimited text or "
               "compressed: put its numbers into a temporary file in this folder, in one reading, "
               "and read them from there; also what else a method may keep on disk where memory is "
               "short",
       .group = group},
  };
  if (readings == Readings::many)
    flags.insert(flags.begin() + 1,
                 {.name = "checkpoint",
                  .takes = Takes::text,
                  .value = "DIR",
                  .help = "keep what was read in a folder, after each pass and every minute, and "
                          "go on from there after an interruption; implies reading in runs of rows",
                  .group = group});
  return flags;
}

}  // namespace tamis::cli
