#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/commands/flags.hpp"
#include "cli/commands/load.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/commands/table_facts.hpp"
#include "cli/console/remedies.hpp"
#include "cli/console/run_report.hpp"
#include "cli/output/output.hpp"
#include "prepare/column_units.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNamesShown = 8;
constexpr std::size_t kValueColumn = 13;

/// A file, and everything `info` says of it.
struct Findings {
  std::string file;
  Table table;
  EncodedLabels labels;
  std::vector<double> values;  ///< numbers to predict, in place of labels
  bool has_measurements;       ///< what should be labels are numbers that hardly come twice
  bool has_texts;              ///< in columns that are left out of the table
  TableFacts facts;
  std::optional<std::string> units;  ///< that differ
  std::string next;                  ///< the command to go on with

  double density() const {
    const double cells = static_cast<double>(table.rows()) * static_cast<double>(table.cols());
    return cells == 0.0 ? 0.0 : static_cast<double>(facts.non_zeros) / cells;
  }
  Index unlabeled() const { return std::ranges::count(labels.labels, kUnlabeled); }
  std::vector<Index> class_counts() const {
    std::vector<Index> counts(labels.class_names.size(), 0);
    for (const Index label : labels.labels)
      if (label != kUnlabeled) ++counts[label];
    return counts;
  }
};

/// Of numbers to predict: how many are known, and their range.
struct TargetFacts {
  Index known = 0;
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
};

TargetFacts target_facts(const std::vector<double>& values) {
  TargetFacts facts;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    ++facts.known;
    facts.least = std::min(facts.least, value);
    facts.largest = std::max(facts.largest, value);
  }
  return facts;
}

Json target_json(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  const TargetFacts facts = target_facts(values);
  return {{"known", facts.known},
          {"least", facts.known > 0 ? Json(facts.least) : Json(nullptr)},
          {"largest", facts.known > 0 ? Json(facts.largest) : Json(nullptr)}};
}

Json info_json(const Findings& found) {
  const Table& table = found.table;
  Json classes = Json::object();
  const std::vector<Index> counts = found.class_counts();
  for (std::size_t c = 0; c < counts.size(); ++c) classes[found.labels.class_names[c]] = counts[c];
  Json first = nullptr;
  if (const auto& place = found.facts.first_not_finite)
    first = {{"row", place->row}, {"column", place->column}};
  const bool has_labels = !found.labels.labels.empty() || !found.values.empty();
  Json notes = Json::array();
  for (const auto& [text, remedy, is_warning] : table.notes)
    notes.push_back(with_remedy(text, remedy));
  return {
      {"schema", "tamis/info/1"},
      {"version", TAMIS_VERSION},
      {"file", found.file},
      {"format", table.format.name},
      {"rows", table.rows()},
      {"features", table.cols()},
      {"sparse", table.view().is_sparse()},
      {"precision", table.view().is_single() ? "single" : "double"},
      {"density", found.density()},
      {"label_column", has_labels ? Json(table.label_name) : Json(nullptr)},
      {"classes", classes},
      {"target", target_json(found.values)},
      {"unlabeled", found.labels.labels.empty() ? table.rows() - target_facts(found.values).known
                                                : found.unlabeled()},
      {"ids", !table.sample_ids.empty()},
      {"missing", found.facts.missing},
      {"infinite", found.facts.infinite},
      {"first_not_finite", first},
      {"constant_columns", found.facts.constant_columns},
      {"duplicate_rows", found.facts.duplicate_rows},
      {"duplicate_columns", found.facts.duplicate_columns},
      {"units", found.units ? Json(*found.units) : Json(nullptr)},
      {"names", table.feature_names},
      {"notes", notes},
      {"next", found.next}};
}

/// A name that leaves room for a comma.
std::string short_name(const std::string& name, const Screen& screen) {
  return shortened(printable(name), prose_width(screen) - kValueColumn - 1);
}

std::string some_names(const Table& table, const std::vector<Index>& columns,
                       const Screen& screen) {
  std::vector<std::string> names;
  for (const Index column : columns) {
    if (names.size() == kNamesShown) break;
    names.push_back(short_name(table.feature_names[column], screen));
  }
  return fmt::format("{}{}", fmt::join(names, ", "), columns.size() > kNamesShown ? ", ..." : "");
}

std::string label_lines(const Findings& found, const Screen& screen, const auto& line) {
  if (!found.values.empty()) {
    const TargetFacts facts = target_facts(found.values);
    return line("target", fmt::format("{}numbers to predict, known in {} of {} rows{}",
                                      found.table.label_name.empty()
                                          ? std::string()
                                          : fmt::format("column '{}': ", found.table.label_name),
                                      facts.known, found.values.size(),
                                      facts.known == 0 ? std::string()
                                                       : fmt::format(", from {} to {}", facts.least,
                                                                     facts.largest)));
  }
  if (found.labels.labels.empty()) return line("labels", "none");
  std::string text = line("labels", found.table.label_name.empty()
                                        ? std::string("without a column name")
                                        : fmt::format("column '{}'", found.table.label_name));
  const std::vector<Index> counts = found.class_counts();
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const std::string count = fmt::format(" ({})", counts[c]);
    parts.push_back(shortened(printable(found.labels.class_names[c]),
                              prose_width(screen) - kValueColumn - count.size() - 1) +
                    count);
  }
  text += line("classes", fmt::format("{}: {}", counts.size(), fmt::join(parts, ", ")));
  return text + line("unlabeled", fmt::format("{}", found.unlabeled()));
}

std::string quality_lines(const Findings& found, const Screen& screen, const auto& line) {
  const TableFacts& facts = found.facts;
  std::string text;
  if (const auto& place = facts.first_not_finite)
    text += line("not finite",
                 fmt::format("{} missing, {} infinite; the first in row {}, column {} ({})",
                             facts.missing, facts.infinite, place->row, place->column,
                             found.table.feature_names[place->column]));
  else
    text += line("not finite", "none");
  text +=
      line("constant", facts.constant_columns.empty()
                           ? std::string("no column")
                           : fmt::format("{}: {}", facts.constant_columns.size(),
                                         some_names(found.table, facts.constant_columns, screen)));
  text += line("duplicates",
               fmt::format("{} rows equal an earlier one",
                           facts.duplicate_rows == 0 ? std::string("no")
                                                     : std::to_string(facts.duplicate_rows)));
  if (!facts.duplicate_columns.empty())
    text += line("repeated", fmt::format("{} equal an earlier one: {}",
                                         counted(std::ssize(facts.duplicate_columns), "column"),
                                         some_names(found.table, facts.duplicate_columns, screen)));
  if (found.units) text += line("units", *found.units);
  return text;
}

/// The command that ranks this table, or what it lacks for that.
std::string next_command(const Findings& found, const Arguments& arguments) {
  std::string command = "tamis rank " + shell_word(found.file);
  for (const Flag& flag : table_flags()) {
    if (!arguments.has(flag.name)) continue;
    command += " --" + flag.name;
    if (flag.takes != Takes::nothing)
      command += " " + shell_word(fmt::format("{}", fmt::join(arguments.list(flag.name), ",")));
  }
  if (found.has_texts) command += " --encode drop";
  if (found.has_measurements || arguments.is_on("regression")) command += " --regression";
  if (found.facts.missing > 0) command += " --missing median";
  if (found.units) command += " --scale standard";
  const bool is_supervised =
      found.labels.class_names.size() > 1 || !found.values.empty() || found.has_measurements;
  return is_supervised ? command : command + " --method laplacian_score";
}

std::string info_text(const Findings& found, const Screen& screen) {
  const auto line = [&](std::string_view name, const std::string& value) {
    return fmt::format("{} {}\n", styled(screen, "36", fitted(name, kValueColumn - 1)),
                       wrapped(printable(value), kValueColumn, prose_width(screen)));
  };
  const Table& table = found.table;
  std::string text = line("file", found.file);
  text += line("format", fmt::format("{}, {}, {} precision", table.format.name,
                                     table.view().is_sparse() ? "sparse" : "dense",
                                     table.view().is_single() ? "single" : "double"));
  text += line("size", fmt::format("{} rows x {} features", table.rows(), table.cols()));
  text += line("non-zero", fmt::format("{:.3g} %", 100.0 * found.density()));
  std::vector<Index> columns = all_indices(table.cols());
  text += line("features", some_names(table, columns, screen));
  if (!table.sample_ids.empty())
    text +=
        line("row ids", fmt::format("{} to {}", table.sample_ids.front(), table.sample_ids.back()));
  text += label_lines(found, screen, line);
  text += quality_lines(found, screen, line);
  for (const auto& [note, remedy, is_warning] : table.notes)
    text += line("note", with_remedy(note, remedy));
  if (found.labels.class_names.size() < 2 && found.values.empty())
    text += line("to do",
                 "name the column that holds classes (--label-column) or numbers to predict "
                 "(--target), or give a file of them (--labels); without any, methods that need "
                 "none rank all the same");
  return text + line("go on with", found.next);
}

bool is_about_texts(const DataError& error) {
  const Remedy::Action action = error.remedy().action;
  return action == Remedy::Action::give_column_a_role ||
         action == Remedy::Action::give_columns_roles;
}

/// Columns of texts that nobody gave a place are named and left out, as what cannot be ranked can
/// still be described. Says whether there are some.
std::pair<Table, bool> read_without_texts(const std::string& path, const Arguments& arguments,
                                          const Voice& voice) {
  try {
    return {read_input(path, arguments, voice), false};
  } catch (const DataError& error) {
    if (!is_about_texts(error) || path == "-") throw;
    voice.warn(with_remedy(error.what(), error.remedy()));
  }
  ReadOptions options = read_options(arguments);
  options.encode = Encode::drop;
  return {read_input(path, std::move(options), arguments, voice), true};
}

void info(const Arguments& arguments) {
  const Voice voice(arguments);
  const std::string& path = arguments.operands.front();
  TextOutput output(output_path(arguments, input_files(arguments)));
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));
  auto [table, has_texts] = read_without_texts(path, arguments, voice);
  Findings found{.file = path,
                 .table = std::move(table),
                 .labels = {},
                 .values = {},
                 .has_measurements = false,
                 .has_texts = has_texts,
                 .facts = {},
                 .units = {},
                 .next = {}};
  try {
    const GivenLabels given = given_labels(path, found.table, arguments, voice);
    if (given.are_values)
      found.values = values_of(given);
    else
      found.labels = labels_of(given, voice);
  } catch (const DataError& error) {  // likewise
    found.has_measurements = error.remedy().action == Remedy::Action::make_classes;
    voice.warn(with_remedy(error.what(), error.remedy()));
  }
  found.facts = facts_of(found.table.view());
  if (!found.facts.first_not_finite && found.table.rows() > 1)
    found.units =
        differing_units({.matrix = found.table.view(), .feature_names = found.table.feature_names});
  found.next = next_command(found, arguments);
  if (arguments.is_on("json"))
    output.write(info_json(found).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  else
    output.write(info_text(found, screen_of(STDOUT_FILENO, arguments)));
}

}  // namespace

Command info_command() {
  const std::string group = "The result";
  return {
      .name = "info",
      .summary = "what is in a file",
      .description =
          "Reads a table and says how it was understood and what it holds: format, size, classes, "
          "ids, values that are missing or not finite, constant and repeated columns, duplicate "
          "rows, units that differ; and the command to go on with. A good first look before `tamis "
          "rank`.",
      .operands = {{.name = "FILE", .is_file = true}},
      .flags = joined({{{.name = "json", .help = "one JSON object", .group = group},
                        format_flag(group, {"json"}),
                        output_flag(group, "write to a file (default: stdout)")},
                       table_flags(),
                       {regression_flag()},
                       {threads_flag()},
                       general_flags()}),
      .examples = {{"tamis info genes.mat", "is it what you think it is?"}},
      .run = info};
}

}  // namespace tamis::cli
