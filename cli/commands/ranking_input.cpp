#include "cli/commands/ranking_input.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/commands/flags.hpp"
#include "cli/console/progress_bar.hpp"
#include "cli/output/loaded_facts.hpp"
#include "cli/output/output.hpp"
#include "core/bad_values.hpp"
#include "evaluation/data_set_facts.hpp"
#include "io/formats.hpp"
#include "prepare/row_sample.hpp"
#include "streaming/checkpoint_facts.hpp"
#include "streaming/chosen_rows.hpp"
#include "streaming/streamed_ranking.hpp"

namespace tamis::cli {
namespace {

/// Rows that are read at once to take a sample.
constexpr Index kBlockBytes = Index{32} << 20;

/// The flags that make a table be read in runs of rows, for messages; empty: none.
std::string_view forcing_flags(const Arguments& arguments) {
  if (arguments.has("sample-rows")) return "--sample-rows";
  const bool is_forced = arguments.has("memory") || arguments.has("checkpoint");
  return is_forced ? "--memory and --checkpoint" : "";
}

/// What no method can compute with in a sample of rows, but for what --missing treats; by rows of
/// the whole table.
BadValues bad_values_of(const MatrixView& sample, const std::vector<Index>& rows, Missing missing) {
  BadValues bad;
  visit_bad_values(sample, [&](Index i, Index r, double value) { bad.see(rows[i], r, value); });
  if (missing != Missing::refuse) bad.missing = {};
  return bad;
}

}  // namespace

RankingInput::RankingInput(const Arguments& arguments, const RankingPlan& plan, const Voice& voice,
                           KeepOriginal keep)
    : arguments_(arguments), plan_(plan), memory_(memory_of(arguments)) {
  read(voice, keep);
  plan_ = for_features(plan_, cols());
  if (stream_ && !loaded_) begin_conversation(voice);
}

RankingInput::RankingInput(const Arguments& arguments, const RankingPlan& plan, const Voice& voice,
                           Table table)
    : arguments_(arguments),
      plan_(for_features(plan, table.cols())),
      loaded_(load_problem(arguments, std::move(table), voice, KeepOriginal::no)),
      memory_(memory_of(arguments)) {}

void RankingInput::read(const Voice& voice, KeepOriginal keep) {
  const bool is_sampled = arguments_.has("sample-rows");
  if (is_sampled && arguments_.has("checkpoint"))
    throw InvalidArgument(
        "--sample-rows reads the table once: there is nothing to keep in --checkpoint");
  auto runs = open_runs(arguments_, memory_, forcing_flags(arguments_), voice);
  if (!runs) {
    loaded_ = load_problem(arguments_, voice, keep);
    return;
  }
  stream_ = with_knowledge(std::move(*runs), arguments_, voice);
  if (is_sampled) take_sample(voice, keep);
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
  rows_at_once_ = std::max<Index>(kBlockBytes / source.bytes_per_row(), 1);
  ProgressBar bar(arguments_, voice);
  const auto state = read_all(ChosenRowsState::pass(rows, whole.cols), source, rows_at_once_,
                              {.progress = bar.progress()}, "taking a sample of the rows");
  auto& answer = static_cast<ChosenRowsState&>(*state);
  OwnedTable sample = *answer.take_table();
  naming_file(arguments_.operands.front(), [&] {
    refuse_bad_values(bad_values_of(view_of(sample), rows, missing_of(arguments_)), whole.known,
                      whole.feature_names);
  });
  const auto taken = [&](const auto& all) {
    std::decay_t<decltype(all)> some;
    if (!all.empty())
      for (const Index row : rows) some.push_back(all[row]);
    return some;
  };
  loaded_ = checked_problem(
      arguments_,
      {.data = std::move(sample),
       .feature_names = whole.feature_names,
       .sample_ids = taken(stream_->table.sample_ids),
       .label_texts = taken(stream_->table.label_texts),
       .label_name = stream_->table.label_name,
       .format = stream_->table.format},
      {.known = known_about(whole.known, rows), .true_labels = taken(stream_->true_labels)}, voice,
      keep);
}

void RankingInput::begin_conversation(const Voice& voice) {
  refuse_looks_ahead(arguments_, {Remedy::Action::sample_rows});
  conversation_ = streamed_ranking(plan_, stream_->problem, seed_of(arguments_));
  StreamedPlan streamed = streamed_plan(std::move(plan_));
  plan_ = std::move(streamed.plan);
  warnings_ = std::move(streamed.warnings);
  RowSource& source = *stream_->table.rows;
  reading_.emplace(arguments_, *conversation_, source, memory_,
                   checkpoint_facts(TAMIS_VERSION, plan_, stream_->problem, source.fingerprint(),
                                    seed_of(arguments_)),
                   voice);
  rows_at_once_ = reading_->rows_at_once();
}

Index RankingInput::cols() const {
  return loaded_ ? loaded_->problem.cols() : stream_->problem.cols;
}

Format RankingInput::format() const {
  return loaded_ ? loaded_->table.format : stream_->table.format;
}

ProblemFacts RankingInput::facts() const {
  return loaded_ ? loaded_facts(arguments_, *loaded_) : stream_facts(arguments_, *stream_);
}

Ranking RankingInput::converse_with_stream(const Run& run) {
  if (run.warn_early)
    for (const std::string& warning : warnings_) run.warn_early(warning);
  return reading_->converse(*conversation_, run);
}

RankingWork RankingInput::work(KeepTable keep) {
  if (!loaded_)
    return {.facts = facts(),
            .names = stream_->problem.feature_names,
            .groups = {},
            .rank = [this](const Run& run) { return converse_with_stream(run); }};
  return {.facts = facts(),
          .names = loaded_->problem.feature_names,
          .groups = loaded_->problem.feature_groups,
          .rank = [this, keep](Run run) {
            if (keep == KeepTable::no)
              run.forget = [this](Index begin, Index end) {
                forget_rows(loaded_->table.data, begin, end);
              };
            return plan_.rank(loaded_->problem, run);
          }};
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
      fits_in_memory(*stream_->table.rows, memory_))
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
    return write_stream(path, table, columns, rows_at_once_);
  Table whole{.feature_names = table.feature_names,
              .sample_ids = table.sample_ids,
              .label_texts = table.label_texts,
              .label_name = table.label_name,
              .format = table.format};
  table.rows->read(0, table.rows->rows(), whole.data);
  deliver_table(path, whole, columns, wanted);
}

bool ranks_whole_table(const Arguments& arguments) {
  return is_read_whole(arguments, memory_of(arguments), !forcing_flags(arguments).empty());
}

namespace {

/// --memory, --sample-rows, --checkpoint.
std::vector<Flag> streaming_flags() {
  std::vector<Flag> flags = memory_flags();
  flags.insert(flags.begin() + 1,
               {.name = "sample-rows",
                .takes = Takes::text,
                .value = "N",
                .help = "rank on a sample: all rows of which something is known, and N random "
                        "others; for every method, and the table is read once",
                .group = flags.front().group});
  return flags;
}

}  // namespace

std::vector<Flag> ranking_flags(const std::vector<Flag>& result) {
  return joined({method_flags(),
                 ensemble_flags(),
                 result,
                 table_flags(),
                 {regression_flag()},
                 problem_flags(),
                 streaming_flags(),
                 {threads_flag(), progress_flag()},
                 general_flags()});
}

}  // namespace tamis::cli
