#include "cli/commands/load.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/contained_read.hpp"
#include "cli/console/progress_bar.hpp"
#include "constraints/closure.hpp"
#include "core/option_texts.hpp"
#include "core/random.hpp"
#include "io/delimited.hpp"
#include "io/turned.hpp"
#include "prepare/label_sample.hpp"
#include "prepare/subproblem.hpp"
#include "tamis/io/pairs.hpp"

namespace tamis::cli {
namespace {

/// Returns the labels as they are without --labels-per-class.
std::vector<Index> add_labels(Knowledge& known, EncodedLabels encoded, const Arguments& arguments,
                              const Voice& voice) {
  known.labels = encoded.labels;
  known.class_names = std::move(encoded.class_names);
  if (!arguments.has("labels-per-class")) return std::move(encoded.labels);
  if (known.labels.empty())
    throw InvalidArgument("--labels-per-class needs labels: give --label-column or --labels");
  RandomStream random(seed_of(arguments));
  LabelSample few =
      sample_labels(known.labels, all_indices(std::ssize(known.labels)),
                    arguments.integer("labels-per-class", 0, 1), random, known.class_names);
  if (few.warning) voice.warn(*few.warning);
  known.labels = std::move(few.labels);
  return std::move(encoded.labels);
}

void add_values(Knowledge& known, std::vector<double> values, const std::string& source,
                const Arguments& arguments, const Voice& voice) {
  known.values = std::move(values);
  if (arguments.has("labels-per-class"))
    throw InvalidArgument(
        "--labels-per-class hides labels of classes, and the target is numeric: leave it out");
  voice.notes(name_of_input(source),
              {{fmt::format("the target is taken as numbers to predict, known in {} of {} rows",
                            valued_rows(known).size(), known.values.size())}});
}

bool takes_values(const Command& command) {
  return std::ranges::find(command.flags, "regression", &Flag::name) != command.flags.end();
}

/// A target that could be either is taken as classes, and said to be.
void note_whole_numbers(const std::vector<std::string>& class_names, const std::string& source,
                        const Voice& voice) {
  double number = 0.0;
  if (class_names.size() > 2 && std::ranges::all_of(class_names, [&](const std::string& name) {
        return parse_number(name, number);
      }))
    voice.notes(name_of_input(source),
                {{fmt::format("the {} different numbers of the target are taken as classes; "
                              "--regression takes them as numbers to predict",
                              class_names.size())}});
}

void add_pairs(Knowledge& known, Index rows, const Arguments& arguments) {
  if (const auto path = arguments.text("constraints")) {
    known.pairs = read_pairs(*path, rows, known.sample_ids);
    if (arguments.is_on("close-constraints"))
      known.pairs = naming_file(*path, [&] { return closure(*known.pairs, rows, known); });
  } else if (arguments.is_on("close-constraints")) {
    throw InvalidArgument("--close-constraints needs pairs: give --constraints FILE");
  }
}

char separator_of(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r")
    throw InvalidArgument(
        fmt::format("--separator '{}' is neither one character, nor tab, nor space", text));
  return text.front();
}

template <class T>
std::vector<T> chosen(std::vector<T> all, std::span<const Index> kept) {
  if (all.empty()) return all;
  std::vector<T> some;
  for (const Index i : kept) some.push_back(std::move(all[i]));
  return some;
}

/// The rows and columns of a table that stay, and what is known about them.
void keep_part(std::span<const Index> rows, std::span<const Index> columns, Table& table,
               Problem& problem) {
  table.data = gathered(table.view(), rows, columns);
  table.feature_names = chosen(std::move(table.feature_names), columns);
  table.groups = chosen(std::move(table.groups), columns);
  table.sample_ids = chosen(std::move(table.sample_ids), rows);
  table.label_texts = chosen(std::move(table.label_texts), rows);
  problem = {.matrix = table.view(),
             .feature_names = table.feature_names,
             .known = known_about(problem.known, rows),
             .feature_groups = table.groups};
}

/// The file of labels or pairs that names columns of the table, and not its rows.
std::optional<std::string> file_about_columns(const Table& table, const Arguments& arguments) {
  for (const char* const flag : {"labels", "constraints"})
    if (const auto path = arguments.text(flag); path && *path != "-") {
      bool names_columns = false;
      do_contained(*path, arguments.is_on("trusted"), [&] {
        names_columns = names_samples(*path, table.cols(), table.feature_names) &&
                        !names_samples(*path, table.rows(), table.sample_ids);
      });
      if (names_columns) return path;
    }
  return std::nullopt;
}

LabelTexts label_file(const std::string& path, const RowTexts& table, const Arguments& arguments,
                      const Voice& voice) {
  std::optional<std::string> column = arguments.text(label_flag(arguments));
  if (column == "none") column.reset();
  LabelTexts labels;
  do_contained(path, arguments.is_on("trusted"),
               [&] { labels = read_labels(path, table.rows, table.sample_ids, column); });
  voice.notes(name_of_input(path), labels.notes);
  return labels;
}

char decimal_of(const std::string& text) {
  if (text == "." || text == "point") return '.';
  if (text == "," || text == "comma") return ',';
  throw InvalidArgument(fmt::format("--decimal '{}' is neither a point nor a comma", text));
}

}  // namespace

std::string label_flag(const Arguments& arguments) {
  if (arguments.has("target") && arguments.has("label-column"))
    throw InvalidArgument("--target and --label-column name the same column: give one of them");
  return arguments.has("target") ? "target" : "label-column";
}

std::uint64_t seed_of(const Arguments& arguments) {
  return static_cast<std::uint64_t>(arguments.integer("seed", 0, 0));
}

ReadOptions read_options(const Arguments& arguments) {
  ReadOptions options;
  const std::optional<std::string> label_column = arguments.text(label_flag(arguments));
  if (!arguments.has("labels") || label_column == "none") options.label_column = label_column;
  detail::parse_into(options.encode, arguments.command->name, "--encode", "",
                     arguments.text("encode", "refuse"));
  options.transpose = arguments.is_on("transpose");
  options.id_column = arguments.text("id-column");
  options.drop = arguments.list("drop");
  options.keep = arguments.list("keep");
  if (arguments.is_on("header") && arguments.is_on("no-header"))
    throw InvalidArgument("--header and --no-header exclude each other");
  if (arguments.is_on("header")) options.has_header = true;
  if (arguments.is_on("no-header")) options.has_header = false;
  if (const auto text = arguments.text("separator")) options.separator = separator_of(*text);
  if (const auto text = arguments.text("decimal")) options.decimal = decimal_of(*text);
  options.table_name = arguments.text("table");
  options.matlab_labels = arguments.text("matlab-labels", options.matlab_labels);
  options.sheet = arguments.text("sheet");
  options.layer = arguments.text("layer");
  options.is_trusted = arguments.is_on("trusted");
  if (arguments.text("precision") == "single") options.precision = Precision::single;
  return options;
}

Table read_with_notes(const std::string& path, const ReadOptions& options, const Voice& voice) {
  Table table = read_contained(path, options);
  voice.notes(name_of_input(path), table.notes);
  return table;
}

Table read_input(const std::string& path, const Arguments& arguments, const Voice& voice) {
  return read_input(path, read_options(arguments), arguments, voice);
}

Table read_input(const std::string& path, ReadOptions options, const Arguments& arguments,
                 const Voice& voice) {
  Table table = read_contained(path, options);
  const std::optional<std::string> other = file_about_columns(table, arguments);
  if (other && !options.transpose && path != "-") {
    options.transpose = true;
    table = read_contained(path, options);
    table.notes.push_back(
        {fmt::format("its columns are the samples of {}, so its rows are taken "
                     "as the features (--transpose)",
                     *other)});
  } else if (looks_turned(table) && !options.transpose && !arguments.has("labels")) {
    table.notes.push_back({fmt::format("{} rows with names and {} columns: perhaps the rows are "
                                       "the features",
                                       table.rows(), table.cols()),
                           {Remedy::Action::turn_table}});
  }
  voice.notes(name_of_input(path), table.notes);
  return table;
}

void take_label_file(Table& table, const Arguments& arguments, const Voice& voice) {
  const auto path = arguments.text("labels");
  if (!path) return;
  LabelTexts labels = label_file(*path, table, arguments, voice);
  table.label_texts = std::move(labels.texts);
  table.label_name = std::move(labels.name);
}

GivenLabels given_labels(const std::string& path, const RowTexts& table, const Arguments& arguments,
                         const Voice& voice) {
  const auto labels_path = arguments.text("labels");
  GivenLabels given{.source = labels_path.value_or(path)};
  given.texts =
      labels_path ? label_file(*labels_path, table, arguments, voice).texts : table.label_texts;
  if (arguments.has("unlabeled")) given.unlabeled = arguments.list("unlabeled");
  if (arguments.is_on("regression") && given.texts.empty())
    throw InvalidArgument("--regression needs the numbers to predict: give --target or --labels");
  given.are_values = arguments.is_on("regression") ||
                     (takes_values(*arguments.command) && arguments.has("target") &&
                      is_continuous(given.texts, given.unlabeled));
  return given;
}

EncodedLabels labels_of(const GivenLabels& given, const Voice& voice) {
  if (given.texts.empty()) return {};
  EncodedLabels encoded =
      naming_file(given.source, [&] { return encode_labels(given.texts, given.unlabeled); });
  voice.notes(name_of_input(given.source), encoded.notes);
  return encoded;
}

std::vector<double> values_of(const GivenLabels& given) {
  return naming_file(given.source, [&] { return encode_values(given.texts, given.unlabeled); });
}

Missing missing_of(const Arguments& arguments) {
  Missing kind = Missing::refuse;
  detail::parse_into(kind, arguments.command->name, "--missing", "",
                     arguments.text("missing", "refuse"));
  return kind;
}

MissingValues treat_missing(const std::string& path, Missing kind, Table& table, Problem& problem,
                            const Voice& voice) {
  if (kind == Missing::refuse) return {};
  const MissingValues missing = find_missing(table.view());
  if (missing.cells == 0) return missing;
  voice.warn(
      fmt::format("{}: {}", name_of_input(path), described(missing, kind, table.feature_names)));
  if (fills_in(kind)) return missing;
  const auto [rows, columns] =
      naming_file(path, [&] { return complete_part(missing, kind, table.view()); });
  keep_part(rows, columns, table, problem);
  return missing;
}

LoadedKnowledge load_knowledge(const std::string& path, const RowTexts& table,
                               const Arguments& arguments, const Voice& voice) {
  LoadedKnowledge loaded{.known = {.sample_ids = table.sample_ids}, .true_labels = {}};
  const GivenLabels given = given_labels(path, table, arguments, voice);
  if (given.are_values) {
    add_values(loaded.known, values_of(given), given.source, arguments, voice);
  } else {
    loaded.true_labels = add_labels(loaded.known, labels_of(given, voice), arguments, voice);
    if (arguments.has("target") && takes_values(*arguments.command))
      note_whole_numbers(loaded.known.class_names, given.source, voice);
  }
  add_pairs(loaded.known, table.rows, arguments);
  return loaded;
}

ConstraintSet constraints_of(const Knowledge& known, Index rows, const Arguments& arguments) {
  return naming_file(arguments.text("constraints", arguments.operands.front()),
                     [&] { return ConstraintSet(known, rows); });
}

ScalingKind scale_of(const Arguments& arguments) {
  ScalingKind scale = ScalingKind::none;
  detail::parse_into(scale, arguments.command->name, "--scale", "",
                     arguments.text("scale", "none"));
  return scale;
}

LoadedProblem load_problem(const Arguments& arguments, const Voice& voice, KeepOriginal keep) {
  return load_problem(arguments, read_input(arguments.operands.front(), arguments, voice), voice,
                      keep);
}

LoadedProblem load_problem(const Arguments& arguments, Table table, const Voice& voice,
                           KeepOriginal keep) {
  LoadedKnowledge loaded = load_knowledge(arguments.operands.front(), table, arguments, voice);
  return checked_problem(arguments, std::move(table), std::move(loaded), voice, keep);
}

LoadedProblem checked_problem(const Arguments& arguments, Table table, LoadedKnowledge loaded,
                              const Voice& voice, KeepOriginal keep) {
  const std::string& path = arguments.operands.front();
  Problem problem{.matrix = table.view(),
                  .feature_names = table.feature_names,
                  .known = std::move(loaded.known),
                  .feature_groups = table.groups};
  const Index n_rows = problem.rows();
  std::optional<Table> original;
  const Missing kind = missing_of(arguments);
  const MissingValues missing = treat_missing(path, kind, table, problem, voice);
  if (kind == Missing::rows)
    loaded.true_labels = chosen(std::move(loaded.true_labels), all_but(missing.rows, n_rows));
  if (fills_in(kind) && missing.cells > 0) {
    if (keep == KeepOriginal::yes) original = table;
    ProgressBar bar(arguments, voice);
    fill_missing(table.data, all_indices(table.rows()), kind, bar.progress());
  }
  naming_file(path, [&] { check_problem(problem); });
  const ConstraintSet constraints = constraints_of(problem.known, problem.rows(), arguments);

  std::optional<Scaling> scaling;
  if (const ScalingKind scale = scale_of(arguments); scale != ScalingKind::none) {
    if (keep == KeepOriginal::yes && !original) original = table;
    scaling = fit_scaling(problem.matrix, all_indices(problem.rows()), scale);
    scale_columns(table.data, *scaling);
  }
  return {.table = std::move(table),
          .original = std::move(original),
          .problem = std::move(problem),
          .true_labels = std::move(loaded.true_labels),
          .scaling = std::move(scaling),
          .must_link = constraints.n_must_link(),
          .cannot_link = constraints.n_cannot_link()};
}

std::vector<std::string> input_files(const Arguments& arguments) {
  std::vector<std::string> files;
  if (!arguments.operands.empty()) files.push_back(arguments.operands.front());
  for (const char* const flag : {"labels", "constraints", "init", "init-weights", "from"})
    if (const auto path = arguments.text(flag)) files.push_back(*path);
  return files;
}

}  // namespace tamis::cli
