#include "cli/commands/ranking_input.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/commands/contained_read.hpp"
#include "cli/console/progress_bar.hpp"
#include "cli/output/loaded_facts.hpp"
#include "cli/output/output.hpp"
#include "core/peak_memory.hpp"
#include "evaluation/data_set_facts.hpp"
#include "io/formats.hpp"
#include "io/memory_rows.hpp"
#include "io/random_access_file.hpp"
#include "prepare/row_sample.hpp"
#include "streaming/checkpoint_facts.hpp"
#include "streaming/chosen_rows.hpp"
#include "streaming/drive.hpp"
#include "streaming/streamed_ranking.hpp"

namespace tamis::cli {
namespace {

/// Of what is there, a run takes so much if nobody says how much it may.
constexpr double kShareOfMemory = 0.8;
/// What a method takes for a table, itself included.
constexpr double kTimesTable = 1.3;
/// Rows that are read at once to take a sample.
constexpr Index kBlockBytes = Index{32} << 20;

Index memory_of(const Arguments& arguments) {
  if (const auto text = arguments.text("memory"))
    return parse_bytes(arguments.command->name, "--memory", *text);
  return held_memory_bytes() +
         static_cast<Index>(kShareOfMemory * static_cast<double>(available_memory_bytes()));
}

/// Bytes in the file; 0 of a pipe.
Index file_size_of(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return 0;
  const auto size = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<Index>(size);
}

bool fits(double bytes, Index memory) { return kTimesTable * bytes <= static_cast<double>(memory); }

bool fits(const RowSource& rows, Index memory) {
  return fits(static_cast<double>(rows.rows()) * static_cast<double>(rows.bytes_per_row()), memory);
}

/// A byte of a file may become a double.
bool fits_for_sure(const std::string& path, Index memory) {
  return fits(static_cast<double>(file_size_of(path)) * sizeof(double), memory);
}

/// A table of a format that has no runs of rows, read whole.
TableStream read_whole(const std::string& path, const ReadOptions& options, Index memory) {
  if (const Index size = file_size_of(path); !fits(static_cast<double>(size), memory))
    throw InvalidArgument(
        fmt::format("{}: its {} do not fit into {} of memory, and only NPY files in C order, full "
                    "matrices of MATLAB 7.3, h5ad files by rows (dense or CSR) and 10x files are "
                    "read in runs of rows; convert it, in Python for instance with "
                    "numpy.lib.format.open_memmap, a part at a time",
                    path, bytes_text(size), bytes_text(memory)));
  std::string fingerprint = file_size_of(path) > 0 ? file_fingerprint(path) : path;
  return stream_of(read_contained(path, options), std::move(fingerprint));
}

TableStream open_any(const std::string& path, const ReadOptions& options, Index memory) {
  if (file_size_of(path) > 0)
    if (auto stream = open_contained(path, options)) return std::move(*stream);
  return read_whole(path, options, memory);
}

/// The flag for which runs of rows do not do; empty if there is none.
std::string_view needs_whole_table(const Arguments& arguments) {
  if (arguments.is_on("transpose")) return "transpose";
  return read_options(arguments).encode != Encode::refuse ? "encode" : "";
}

}  // namespace

RankingInput::RankingInput(const Arguments& arguments, const RankingPlan& plan, const Voice& voice,
                           KeepOriginal keep)
    : arguments_(arguments), plan_(plan), memory_(memory_of(arguments)) {
  read(voice, keep);
  plan_ = for_features(plan_, cols());
  if (stream_ && !loaded_) begin_conversation(voice);
}

void RankingInput::read(const Voice& voice, KeepOriginal keep) {
  const std::string& path = arguments_.operands.front();
  const bool is_sampled = arguments_.has("sample-rows");
  const bool is_forced = arguments_.has("memory") || arguments_.has("checkpoint");
  if (is_sampled && arguments_.has("checkpoint"))
    throw InvalidArgument(
        "--sample-rows reads the table once: there is nothing to keep in --checkpoint");
  const std::string_view whole = needs_whole_table(arguments_);
  if (!whole.empty() && (is_sampled || is_forced))
    throw InvalidArgument(fmt::format("--{} needs the whole table in memory: leave out --{}", whole,
                                      is_sampled ? "sample-rows" : "memory and --checkpoint"));
  if (!whole.empty() || (!is_sampled && !is_forced && fits_for_sure(path, memory_))) {
    loaded_ = load_problem(arguments_, voice, keep);
    return;
  }
  TableStream table = open_any(path, read_options(arguments_), memory_);
  if (!is_sampled && !is_forced && fits(*table.rows, memory_)) {
    loaded_ = load_problem(arguments_, voice, keep);
    return;
  }
  open_stream(std::move(table), voice);
  if (is_sampled) take_sample(voice, keep);
}

void RankingInput::open_stream(TableStream table, const Voice& voice) {
  const std::string& path = arguments_.operands.front();
  voice.notes(name_of_input(path), table.notes);
  LoadedKnowledge loaded = load_knowledge(path, table, arguments_, voice);
  StreamedProblem problem{.rows = table.rows->rows(),
                          .cols = table.rows->cols(),
                          .is_single = table.rows->is_single(),
                          .is_sparse = table.rows->is_sparse(),
                          .feature_names = table.feature_names,
                          .known = std::move(loaded.known)};
  naming_file(path, [&] { check_problem(problem); });
  const ConstraintSet pairs = constraints_of(problem.known, problem.rows, arguments_);
  stream_ = {.table = std::move(table),
             .problem = std::move(problem),
             .true_labels = std::move(loaded.true_labels),
             .must_link = pairs.n_must_link(),
             .cannot_link = pairs.n_cannot_link()};
}

void RankingInput::take_sample(const Voice& voice, KeepOriginal keep) {
  const StreamedProblem& whole = stream_->problem;
  const std::vector<Index> rows = sample_rows(
      whole.known, whole.rows, arguments_.integer("sample-rows", 0, 1), seed_of(arguments_));
  const Index known = std::ssize(known_rows(whole.known));
  voice.say(fmt::format("a sample of {}: {} known and {} of {} others",
                        counted(std::ssize(rows), "row"), known, std::ssize(rows) - known,
                        whole.rows - known));
  RowSource& source = *stream_->table.rows;
  memory_plan_.rows_at_once = std::max<Index>(kBlockBytes / source.bytes_per_row(), 1);
  ProgressBar bar(arguments_, voice);
  const auto state =
      read_all(ChosenRowsState::pass(rows, whole.cols), source, memory_plan_.rows_at_once,
               {.progress = bar.progress()}, "taking a sample of the rows");
  auto& answer = static_cast<ChosenRowsState&>(*state);
  naming_file(arguments_.operands.front(), [&] {
    refuse_bad_values(answer.ranges().bad_values(), whole.known, whole.feature_names);
  });
  const auto taken = [&](const auto& all) {
    std::decay_t<decltype(all)> some;
    if (!all.empty())
      for (const Index row : rows) some.push_back(all[row]);
    return some;
  };
  loaded_ = checked_problem(
      arguments_,
      {.data = *answer.take_table(),
       .feature_names = whole.feature_names,
       .sample_ids = taken(stream_->table.sample_ids),
       .label_texts = taken(stream_->table.label_texts),
       .label_name = stream_->table.label_name,
       .format = stream_->table.format},
      {.known = known_about(whole.known, rows), .true_labels = taken(stream_->true_labels)}, voice,
      keep);
}

void RankingInput::begin_conversation(const Voice& voice) {
  const StreamedProblem& problem = stream_->problem;
  RowSource& source = *stream_->table.rows;
  if (scale_of(arguments_) != ScalingKind::none)
    throw InvalidArgument("--scale needs a look at all rows before the first is ranked",
                          {Remedy::Action::sample_rows});
  if (missing_of(arguments_) != Missing::refuse)
    throw InvalidArgument("--missing needs a look at all rows before the first is ranked",
                          {Remedy::Action::sample_rows});
  conversation_ = streamed_ranking(plan_, problem, seed_of(arguments_));
  StreamedPlan streamed = streamed_plan(std::move(plan_));
  plan_ = std::move(streamed.plan);
  warning_ = std::move(streamed.warning);
  memory_plan_ = plan_memory(source, *conversation_, memory_);
  if (const auto folder = arguments_.text("checkpoint"))
    checkpoint_ = std::make_unique<Checkpoint>(
        *folder, checkpoint_facts(TAMIS_VERSION, plan_, stream_->problem,
                                  stream_->table.rows->fingerprint(), seed_of(arguments_)));
  const auto passes = conversation_->passes().size();
  voice.say(fmt::format(
      "the table is read {}, {} at a time, within {} of memory{}",
      passes == 1 ? "once" : fmt::format("{} times", passes),
      counted(memory_plan_.rows_at_once, "row"), bytes_text(memory_),
      checkpoint_ && checkpoint_->rows_found() > 0
          ? fmt::format("; {} were read before", counted(checkpoint_->rows_found(), "row"))
          : ""));
}

Index RankingInput::cols() const {
  return loaded_ ? loaded_->problem.cols() : stream_->problem.cols;
}

Format RankingInput::format() const {
  return loaded_ ? loaded_->table.format : stream_->table.format;
}

ProblemFacts RankingInput::facts() const {
  if (loaded_) return loaded_facts(arguments_, *loaded_);
  const StreamedProblem& problem = stream_->problem;
  return {.file = arguments_.operands.front(),
          .format = std::string(stream_->table.format.name),
          .rows = problem.rows,
          .features = problem.cols,
          .labeled = std::ssize(labeled_rows(problem.known)),
          .classes = std::ssize(rows_by_class(problem.known)),
          .targets = std::ssize(valued_rows(problem.known)),
          .must_link = stream_->must_link,
          .cannot_link = stream_->cannot_link,
          .sparse = problem.is_sparse,
          .precision = problem.is_single ? "single" : "double"};
}

Ranking RankingInput::converse_with_stream(const Run& run) {
  if (warning_ && run.warn_early) run.warn_early(*warning_);
  Ranking ranking = converse(*conversation_, *stream_->table.rows, memory_plan_.rows_at_once, run,
                             checkpoint_.get());
  if (checkpoint_) checkpoint_->remove();
  return ranking;
}

RankingWork RankingInput::work() {
  if (!loaded_)
    return {.facts = facts(),
            .names = stream_->problem.feature_names,
            .groups = {},
            .rank = [this](const Run& run) { return converse_with_stream(run); }};
  return {.facts = facts(),
          .names = loaded_->problem.feature_names,
          .groups = loaded_->table.groups,
          .rank = [this](const Run& run) { return plan_.rank(loaded_->problem, run); }};
}

PageData RankingInput::page_data(const Ranking& ranking) const {
  const std::string& path = arguments_.operands.front();
  const std::string name =
      path == "-" ? name_of_input(path) : std::filesystem::path(path).filename().string();
  if (loaded_)
    return {data_set_facts(name, name_of_input(path), loaded_->problem),
            row_plane(loaded_->problem, ranking)};
  DataSetFacts facts = data_set_facts(name, name_of_input(path), stream_->problem.known);
  facts.rows = stream_->problem.rows;
  facts.features = stream_->problem.cols;
  return {std::move(facts)};
}

void RankingInput::check_writes(Format wanted, const std::string& path) const {
  if (!stream_ || find_format(wanted).write_stream != nullptr ||
      fits(*stream_->table.rows, memory_))
    return;
  throw InvalidArgument(fmt::format(
      "{}: a table that does not fit into memory is written as NPY only: give -o FILE.npy",
      path.empty() ? "standard output" : path));
}

void RankingInput::write(const std::string& path, std::span<const Index> columns, Format wanted) {
  if (!stream_)
    return deliver_table(path, loaded_->original ? *loaded_->original : loaded_->table, columns,
                         wanted);
  TableStream& table = stream_->table;
  if (const auto write_stream = find_format(wanted).write_stream)
    return write_stream(path, table, columns, memory_plan_.rows_at_once);
  Table whole{.feature_names = table.feature_names,
              .sample_ids = table.sample_ids,
              .label_texts = table.label_texts,
              .label_name = table.label_name,
              .format = table.format};
  table.rows->read(0, table.rows->rows(), whole.data);
  deliver_table(path, whole, columns, wanted);
}

std::vector<Flag> streaming_flags() {
  const std::string group = "Tables larger than memory";
  return {
      {.name = "memory",
       .takes = Takes::text,
       .value = "SIZE",
       .help = "read the table in runs of rows, as often as the method needs, within so much "
               "memory, such as 4G (default: only if it does not fit into 80 % of what is there)",
       .group = group},
      {.name = "sample-rows",
       .takes = Takes::text,
       .value = "N",
       .help = "rank on a sample: all rows of which something is known, and N random others; for "
               "every method, and the table is read once",
       .group = group},
      {.name = "checkpoint",
       .takes = Takes::text,
       .value = "DIR",
       .help = "keep what was read in a folder, after each pass and every minute, and go on from "
               "there after an interruption; implies reading in runs of rows",
       .group = group},
  };
}

}  // namespace tamis::cli
