#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/console/terminal.hpp"
#include "constraints/constraint_set.hpp"
#include "io/table_stream.hpp"
#include "prepare/missing.hpp"
#include "prepare/scale.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/io/labels.hpp"
#include "tamis/io/open.hpp"

namespace tamis::cli {

/// The flag that names the column of labels: --target or --label-column.
std::string label_flag(const Arguments& arguments);

/// What --seed says.
std::uint64_t seed_of(const Arguments& arguments);

/// What the reading flags ask for.
ReadOptions read_options(const Arguments& arguments);

/// Reads a table and says what was assumed of it.
Table read_with_notes(const std::string& path, const ReadOptions& options, const Voice& voice);

/// The same by the reading flags; turns the table if the file of labels names its columns.
Table read_input(const std::string& path, const Arguments& arguments, const Voice& voice);
/// With other options of reading than the flags say.
Table read_input(const std::string& path, ReadOptions options, const Arguments& arguments,
                 const Voice& voice);

/// Puts the labels of --labels, if it is given, in the place of the table's own.
void take_label_file(Table& table, const Arguments& arguments, const Voice& voice);

/// What a table says of its rows besides their values. Looks into it.
struct RowTexts {
  Index rows;
  const std::vector<std::string>& sample_ids;
  const std::vector<std::string>& label_texts;

  RowTexts(const Table& table)  // NOLINT: a table has them
      : rows(table.rows()), sample_ids(table.sample_ids), label_texts(table.label_texts) {}
  RowTexts(const TableStream& table)  // NOLINT: likewise
      : rows(table.rows->rows()), sample_ids(table.sample_ids), label_texts(table.label_texts) {}
};

/// The labels of a table as they are written.
struct GivenLabels {
  std::string source = {};              ///< the file that they are from
  std::vector<std::string> texts = {};  ///< one per row; empty: there are none
  std::optional<std::vector<std::string>> unlabeled = std::nullopt;  ///< what --unlabeled says
  bool are_values = false;  ///< numbers to predict: --regression or --target says so
};

/// Those of the table read from `path`: of its own column, or of --labels.
GivenLabels given_labels(const std::string& path, const RowTexts& table, const Arguments& arguments,
                         const Voice& voice);

/// As classes. Says what was assumed of them.
EncodedLabels labels_of(const GivenLabels& given, const Voice& voice);

/// As numbers to predict.
std::vector<double> values_of(const GivenLabels& given);

/// What --missing says.
Missing missing_of(const Arguments& arguments);

/// Leaves out what --missing says of a table and its problem, and says so, or what will be filled
/// in. Returns where values were missing.
MissingValues treat_missing(const std::string& path, Missing kind, Table& table, Problem& problem,
                            const Voice& voice);

/// What a table and the side files say of its rows.
struct LoadedKnowledge {
  Knowledge known;
  std::vector<Index> true_labels;  ///< as read, those too that --labels-per-class hid
};
LoadedKnowledge load_knowledge(const std::string& path, const RowTexts& table,
                               const Arguments& arguments, const Voice& voice);

/// The pairs that labels and --constraints make. @throws DataError if they contradict each other
ConstraintSet constraints_of(const Knowledge& known, Index rows, const Arguments& arguments);

/// What --scale says.
ScalingKind scale_of(const Arguments& arguments);

enum class KeepOriginal { no, yes };

/// A file and its side files as a checked problem. The problem looks into the table: keep both.
struct LoadedProblem {
  Table table;                    ///< its values as --missing and --scale left them
  std::optional<Table> original;  ///< its values as stored, if asked for and changed by these
  Problem problem;
  std::vector<Index> true_labels;  ///< as read, those too that --labels-per-class hid
  std::optional<Scaling> scaling;  ///< what --scale did to the columns
  Index must_link = 0;
  Index cannot_link = 0;
};
LoadedProblem load_problem(const Arguments& arguments, const Voice& voice, KeepOriginal keep);
/// The same of a table that was read already.
LoadedProblem load_problem(const Arguments& arguments, Table table, const Voice& voice,
                           KeepOriginal keep);
/// The same of what is known about it, too.
LoadedProblem checked_problem(const Arguments& arguments, Table table, LoadedKnowledge loaded,
                              const Voice& voice, KeepOriginal keep);

/// The files that a command reads, by its operand and its flags.
std::vector<std::string> input_files(const Arguments& arguments);

/// How people call an input: its path, or "standard input".
inline std::string name_of_input(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

/// Calls work(); a DataError that does not name the file yet will begin with it.
template <class Work>
auto naming_file(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const DataError& error) {
    const std::string message = error.what();
    if (message.starts_with(path)) throw;
    throw DataError(name_of_input(path) + ": " + message, error.remedy());
  }
}

}  // namespace tamis::cli
