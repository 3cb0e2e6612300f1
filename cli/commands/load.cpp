#include "cli/commands/load.hpp"

#include <fmt/format.h>

#include "cli/commands/scale.hpp"
#include "constraints/closure.hpp"
#include "constraints/constraint_set.hpp"
#include "core/random.hpp"
#include "tamis/io/pairs.hpp"

namespace tamis::cli {
namespace {

/// Keeps `count` random labels of each class.
void hide_labels(Problem& problem, Index count, std::uint64_t seed, const Voice& voice) {
  std::vector<Index> kept(problem.labels.size(), kUnlabeled);
  for (const std::vector<Index>& rows : rows_by_class(problem)) {
    const Index label = problem.labels[rows.front()];
    if (std::ssize(rows) < count)
      voice.warn(
          fmt::format("class {} has {} labeled rows, fewer than --labels-per-class {}: "
                      "all of them are kept",
                      problem.class_names[label], rows.size(), count));
    RandomStream random(seed, static_cast<std::uint64_t>(label));
    for (const Index place : random.sample(std::ssize(rows), std::min(count, std::ssize(rows))))
      kept[rows[place]] = label;
  }
  problem.labels = std::move(kept);
}

/// Returns the labels as they are without --labels-per-class.
std::vector<Index> add_labels(Problem& problem, EncodedLabels encoded, const Arguments& arguments,
                              const Voice& voice) {
  for (const std::string& text : encoded.notes) voice.note(text);
  problem.labels = encoded.labels;
  problem.class_names = std::move(encoded.class_names);
  if (!arguments.has("labels-per-class")) return std::move(encoded.labels);
  if (problem.labels.empty())
    throw InvalidArgument("--labels-per-class needs labels: give --label-column or --labels");
  hide_labels(problem, arguments.integer("labels-per-class", 0, 1), seed_of(arguments), voice);
  return std::move(encoded.labels);
}

void add_pairs(Problem& problem, const Arguments& arguments) {
  if (const auto path = arguments.text("constraints")) {
    problem.pairs = read_pairs(*path, problem.rows(), problem.sample_ids);
    if (arguments.is_on("close-constraints"))
      problem.pairs = naming_file(*path, [&] { return closure(problem, *problem.pairs); });
  } else if (arguments.is_on("close-constraints")) {
    throw InvalidArgument("--close-constraints needs pairs: give --constraints FILE");
  }
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
  if (arguments.is_on("header") && arguments.is_on("no-header"))
    throw InvalidArgument("--header and --no-header exclude each other");
  if (arguments.is_on("header")) options.has_header = true;
  if (arguments.is_on("no-header")) options.has_header = false;
  options.matlab_table = arguments.text("matlab-table", options.matlab_table);
  options.matlab_labels = arguments.text("matlab-labels", options.matlab_labels);
  if (arguments.text("precision") == "single") options.precision = Precision::single;
  return options;
}

EncodedLabels labels_of(const Table& table, const Arguments& arguments) {
  const auto path = arguments.text("labels");
  if (path && arguments.text("label-column", "none") != "none")
    throw InvalidArgument("--labels and --label-column exclude each other: give one of them");
  const std::vector<std::string> texts =
      path ? read_labels(*path, table.rows(), table.sample_ids) : table.label_texts;
  if (texts.empty()) return {};
  if (!arguments.has("unlabeled")) return encode_labels(texts);
  return encode_labels(texts, arguments.list("unlabeled"));
}

LoadedProblem load_problem(const Arguments& arguments, const Voice& voice, KeepOriginal keep) {
  const std::string& path = arguments.operands.front();
  Table table = read_table(path, read_options(arguments));
  for (const std::string& text : table.notes)
    voice.note(fmt::format("{}: {}", name_of_input(path), text));
  Problem problem{.matrix = table.view(),
                  .feature_names = table.feature_names,
                  .sample_ids = table.sample_ids,
                  .seed = seed_of(arguments)};
  naming_file(path, [&] { check_problem(problem); });
  std::vector<Index> true_labels =
      add_labels(problem, labels_of(table, arguments), arguments, voice);
  add_pairs(problem, arguments);
  const ConstraintSet constraints =
      naming_file(arguments.text("constraints", path), [&] { return ConstraintSet(problem); });

  std::optional<Table> original;
  const std::string scale = arguments.text("scale", "none");
  if (keep == KeepOriginal::yes && scale != "none") original = table;
  scale_columns(table, scale);
  return {.table = std::move(table),
          .original = std::move(original),
          .problem = std::move(problem),
          .true_labels = std::move(true_labels),
          .must_link = constraints.n_must_link(),
          .cannot_link = constraints.n_cannot_link()};
}

std::vector<std::string> input_files(const Arguments& arguments) {
  std::vector<std::string> files;
  if (!arguments.operands.empty()) files.push_back(arguments.operands.front());
  for (const char* const flag : {"labels", "constraints", "init", "init-weights"})
    if (const auto path = arguments.text(flag)) files.push_back(*path);
  return files;
}

}  // namespace tamis::cli
