#include "cli/commands/load.hpp"

#include <fmt/format.h>

#include "cli/commands/contained_read.hpp"
#include "constraints/closure.hpp"
#include "constraints/constraint_set.hpp"
#include "core/option_texts.hpp"
#include "core/random.hpp"
#include "prepare/label_sample.hpp"
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

}  // namespace

std::uint64_t seed_of(const Arguments& arguments) {
  return static_cast<std::uint64_t>(arguments.integer("seed", 0, 0));
}

ReadOptions read_options(const Arguments& arguments) {
  ReadOptions options;
  options.label_column = arguments.text("label-column");
  options.id_column = arguments.text("id-column");
  options.drop = arguments.list("drop");
  options.keep = arguments.list("keep");
  if (arguments.is_on("header") && arguments.is_on("no-header"))
    throw InvalidArgument("--header and --no-header exclude each other");
  if (arguments.is_on("header")) options.has_header = true;
  if (arguments.is_on("no-header")) options.has_header = false;
  if (const auto text = arguments.text("separator")) options.separator = separator_of(*text);
  options.matlab_table = arguments.text("matlab-table", options.matlab_table);
  options.matlab_labels = arguments.text("matlab-labels", options.matlab_labels);
  options.is_trusted = arguments.is_on("trusted");
  if (arguments.text("precision") == "single") options.precision = Precision::single;
  return options;
}

Table read_with_notes(const std::string& path, const ReadOptions& options, const Voice& voice) {
  Table table = read_contained(path, options);
  voice.notes(name_of_input(path), table.notes);
  return table;
}

EncodedLabels labels_of(const std::string& path, const Table& table, const Arguments& arguments,
                        const Voice& voice) {
  const auto labels_path = arguments.text("labels");
  if (labels_path && arguments.text("label-column", "none") != "none")
    throw InvalidArgument("--labels and --label-column exclude each other: give one of them");
  const std::vector<std::string> texts =
      labels_path ? read_labels(*labels_path, table.rows(), table.sample_ids) : table.label_texts;
  if (texts.empty()) return {};
  std::optional<std::vector<std::string>> unlabeled;
  if (arguments.has("unlabeled")) unlabeled = arguments.list("unlabeled");
  const std::string& source = labels_path ? *labels_path : path;
  EncodedLabels encoded = naming_file(source, [&] { return encode_labels(texts, unlabeled); });
  voice.notes(name_of_input(source), encoded.notes);
  return encoded;
}

LoadedProblem load_problem(const Arguments& arguments, const Voice& voice, KeepOriginal keep) {
  const std::string& path = arguments.operands.front();
  Table table = read_with_notes(path, read_options(arguments), voice);
  Problem problem{.matrix = table.view(),
                  .feature_names = table.feature_names,
                  .known = {.sample_ids = table.sample_ids}};
  std::vector<Index> true_labels =
      add_labels(problem.known, labels_of(path, table, arguments, voice), arguments, voice);
  add_pairs(problem.known, problem.rows(), arguments);
  naming_file(path, [&] { check_problem(problem); });
  const ConstraintSet constraints = naming_file(arguments.text("constraints", path), [&] {
    return ConstraintSet(problem.known, problem.rows());
  });

  std::optional<Table> original;
  std::optional<Scaling> scaling;
  ScalingKind scale = ScalingKind::none;
  detail::parse_into(scale, arguments.command->name, "--scale", "",
                     arguments.text("scale", "none"));
  if (scale != ScalingKind::none) {
    if (keep == KeepOriginal::yes) original = table;
    scaling = fit_scaling(problem.matrix, all_indices(problem.rows()), scale);
    scale_columns(table.data, *scaling);
  }
  return {.table = std::move(table),
          .original = std::move(original),
          .problem = std::move(problem),
          .true_labels = std::move(true_labels),
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
