#include "cli/commands/flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/option_texts.hpp"
#include "ensembles/bagging.hpp"
#include "plan/diversify.hpp"
#include "prepare/missing.hpp"
#include "tamis/core/error.hpp"
#include "tamis/io/open.hpp"
#include "tamis/registry/projections.hpp"

namespace tamis::cli {
namespace {

std::vector<std::string> method_names() {
  std::vector<std::string> names{std::string(kAutomatic)};
  for (const Method& method : methods()) names.emplace_back(method.info.name);
  return names;
}

std::string value_name(const OptionInfo& option) {
  switch (option.type) {
    case OptionType::boolean:
      return "";
    case OptionType::integer:
      return "N";
    case OptionType::number:
      return "NUMBER";
    case OptionType::word:
      return option.words.empty() ? "NAME" : "WORD";
  }
  return "";
}

}  // namespace

std::vector<Flag> table_flags() {
  const std::string group = "Reading the table";
  return {
      {.name = "label-column",
       .takes = Takes::text,
       .value = "COLUMN",
       .help = "column that holds the classes, by name or 0-based number, or 'none' (default: a "
               "column named class, label, target or y); tamis rank takes several, between commas",
       .group = group,
       .aliases = {"label"}},
      {.name = "target",
       .takes = Takes::text,
       .value = "COLUMN",
       .help = "the same of a column that may hold numbers to predict: if one of them is not whole "
               "or more than 20 differ, tamis rank and select take them as numbers, not as classes",
       .group = group},
      {.name = "id-column",
       .takes = Takes::text,
       .value = "COLUMN",
       .help = "column that names the rows (default: a first column without a name, or one called "
               "id, sample, patient, ... that fits)",
       .group = group},
      {.name = "drop",
       .takes = Takes::text,
       .value = "COLUMN,...",
       .help = "columns to leave out",
       .group = group,
       .repeats = true,
       .aliases = {"exclude", "ignore"}},
      {.name = "keep",
       .takes = Takes::text,
       .value = "COLUMN,...",
       .help = "columns that are features though they look like labels or ids",
       .group = group,
       .repeats = true},
      {.name = "encode",
       .takes = Takes::word,
       .value = "WORD",
       .help =
           "what to do about columns of text among the features: refuse; onehot, a column of 0 "
           "and 1 for each category, which count as one feature; ordinal, categories numbered in "
           "the order of their names; drop. With onehot and ordinal dates become days (default: "
           "refuse)",
       .group = group,
       .words = detail::words_of<Encode>()},
      {.name = "header",
       .help = "the first line of a text table is a header (default: decided by "
               "its content)",
       .group = group},
      {.name = "no-header", .help = "the first line of a text table is data", .group = group},
      {.name = "separator",
       .takes = Takes::text,
       .value = "CHARACTER",
       .help = "what separates the fields of a text table: one character, tab or space (default: "
               "decided by its content)",
       .group = group,
       .words = {"tab", "space"},
       .aliases = {"sep", "delimiter"}},
      {.name = "decimal",
       .takes = Takes::text,
       .value = "SIGN",
       .help =
           "the decimal sign of a text table: point or comma, or the sign itself; thousands may "
           "be set apart by the other one, a blank or an apostrophe (default: decided by its "
           "content)",
       .group = group,
       .words = {"point", "comma"},
       .aliases = {"dec"}},
      {.name = "transpose",
       .help = "the rows of the file are features and its columns samples, as in many tables of "
               "genes; other flags mean the columns that rows become",
       .group = group},
      {.name = "table",
       .takes = Takes::text,
       .value = "NAME",
       .help =
           "variable of a .mat file that holds the table (default: X), or array of an .npz file "
           "(default: X, data or another such name, or the only one)",
       .group = group,
       .aliases = {"matlab-table"}},
      {.name = "matlab-labels",
       .takes = Takes::text,
       .value = "VARIABLE",
       .help = "variable of a .mat file that holds the classes (default: Y)",
       .group = group},
      {.name = "sheet",
       .takes = Takes::text,
       .value = "NAME|NUMBER",
       .help = "sheet of an .xlsx file, by name or number from 1 (default: the first)",
       .group = group},
      {.name = "layer",
       .takes = Takes::text,
       .value = "NAME",
       .help = "layer of an .h5ad file that holds the table (default: X)",
       .group = group},
      {.name = "precision",
       .takes = Takes::word,
       .value = "WORD",
       .help = "single: keep float32 whatever the file has, half the memory (default: stored)",
       .group = group,
       .words = {"stored", "single"}},
      {.name = "trusted",
       .help = "read a file whose content is far more than the file (compressed more than a "
               "hundredfold, or sparse with more columns than bytes), and an HDF5 file "
               "without trying first whether the HDF5 library survives it",
       .group = group},
      {.name = "labels",
       .takes = Takes::file,
       .value = "FILE",
       .help = "classes (or numbers to predict) from a file: one per line, or columns with ids and "
               "classes, of which --label-column or --target names one",
       .group = group},
      {.name = "unlabeled",
       .takes = Takes::text,
       .value = "TEXT,...",
       .help = "labels that mean 'not known' (default: empty, NA, N/A, NaN, null, ?, and -1 among "
               "the numbers "
               "of two classes or more)",
       .group = group,
       .repeats = true},
  };
}

Flag regression_flag() {
  return {.name = "regression",
          .help =
              "the labels are numbers to predict, also where few differ (default: only of "
              "--target, if one is not whole or more than 20 differ)",
          .group = "Reading the table"};
}

std::vector<Flag> problem_flags() {
  const std::string group = "What is known, and how columns are prepared";
  return {
      {.name = "constraints",
       .takes = Takes::file,
       .value = "FILE",
       .help = "pairs of rows, a,b,kind[,weight]: ids or 0-based rows, kind = must | cannot",
       .group = group},
      {.name = "close-constraints",
       .help = "first add the pairs that follow from the given ones",
       .group = group},
      {.name = "missing",
       .takes = Takes::word,
       .value = "WORD",
       .help = "what to do about missing values: refuse; fill them in with the median or the mean "
               "of the column, or with its mean over the 5 nearest rows; or leave out their rows "
               "or columns (default: refuse)",
       .group = group,
       .words = detail::words_of<Missing>()},
      {.name = "labels-per-class",
       .takes = Takes::text,
       .value = "N",
       .help = "keep N random labels of each class and hide the rest",
       .group = group},
      {.name = "seed",
       .takes = Takes::text,
       .value = "N",
       .help = "of everything random (default: 0)",
       .group = group},
      {.name = "scale",
       .takes = Takes::word,
       .value = "WORD",
       .help = "none, standard (mean 0, deviation 1) or minmax (0 to 1); sparse columns are only "
               "divided, not shifted (default: none)",
       .group = group,
       .words = {"none", "standard", "minmax"}},
  };
}

Flag threads_flag() {
  return {.name = "threads",
          .letter = 'j',
          .takes = Takes::text,
          .value = "N",
          .help = "at most N threads; results do not depend on it (default: all cores)",
          .group = std::string(kGeneralGroup)};
}

Flag progress_flag() {
  return {.name = "progress",
          .takes = Takes::word,
          .value = "WORD",
          .help = "auto: show progress on a terminal; never (default: auto)",
          .group = std::string(kGeneralGroup),
          .words = {"auto", "never"}};
}

std::vector<Flag> general_flags() {
  const std::string group(kGeneralGroup);
  return {
      {.name = "quiet",
       .letter = 'q',
       .help = "no words besides results and errors",
       .group = group},
      {.name = "verbose",
       .letter = 'v',
       .help = "more words: resolved options, time, memory, the command that repeats the run",
       .group = group},
      {.name = "color",
       .takes = Takes::word,
       .value = "WORD",
       .help = "auto: colours on a terminal, unless NO_COLOR is set; never; always (default: auto)",
       .group = group,
       .words = {"auto", "never", "always"}},
      {.name = "no-color", .help = "the same as --color never", .group = group},
      {.name = "help", .letter = 'h', .help = "this text", .group = group},
  };
}

std::string flag_name(std::string option) {
  std::ranges::replace(option, '_', '-');
  return option;
}

Flag flag_of(const OptionInfo& option) {
  return {.name = flag_name(option.name),
          .takes = option.type == OptionType::boolean                         ? Takes::nothing
                   : option.type == OptionType::word && !option.words.empty() ? Takes::word
                                                                              : Takes::text,
          .value = value_name(option),
          .help = fmt::format("{}; {} (default: {})", option.help, describe_values(option),
                              to_text(option.default_value)),
          .group = "Options of methods",
          .words = option.words};
}

void add_options(std::vector<Flag>& flags, std::string_view method,
                 const std::vector<OptionInfo>& options) {
  for (const OptionInfo& option : options) {
    Flag flag = flag_of(option);
    if (option.type == OptionType::word && option.words.empty()) flag.words = method_names();
    auto known = std::ranges::find(flags, flag.name, &Flag::name);
    if (known == flags.end()) known = flags.insert(flags.end(), std::move(flag));
    known->owners.emplace_back(method);
    for (const std::string& word : option.words)
      if (std::ranges::find(known->words, word) == known->words.end()) known->words.push_back(word);
  }
}

std::vector<Flag> method_flags() {
  std::vector<Flag> flags{
      {.name = "method",
       .letter = 'm',
       .takes = Takes::method,
       .value = "NAME",
       .help = fmt::format("how to score features; tamis methods lists them "
                           "(default: {}, which is {})",
                           kAutomatic, kAutomaticMethod),
       .group = "Method",
       .words = method_names(),
       .otherwise = std::string(kAutomatic),
       .options_of = [](const std::string& name) { return find_method(name).options; }}};
  flags.push_back({.name = "paper",
                   .help = "options that are not given have the values of the method's paper; "
                           "tamis methods NAME lists them",
                   .group = "Method"});
  for (const Method& method : methods()) add_options(flags, method.info.name, method.options);
  flags.push_back({.name = "diversify",
                   .takes = Takes::maybe_count,
                   .value = "H",
                   .help = fmt::format("put the H best features of any method in the order of what "
                                       "each adds to those before it (default of H: {})",
                                       DiversifyOptions{}.n_candidates),
                   .group = "Method"});
  return flags;
}

std::vector<Flag> ensemble_flags() {
  const std::string group = "Ensemble: what many members say, each on a random part of the data";
  return {
      {.name = "bagging",
       .takes = Takes::text,
       .value = "N",
       .help = "run the method N times, each time with what is known resampled with replacement "
               "(labeled rows, pairs; all rows if nothing is known), and combine the scores; of a "
               "method that chooses a subset only the ranking is kept",
       .group = group},
      {.name = "subspace",
       .takes = Takes::text,
       .value = "Q",
       .help = "features that each member of --bagging sees, drawn at random (default: all)",
       .group = group},
      {.name = "bagging-combine",
       .takes = Takes::word,
       .value = "WORD",
       .help = fmt::format("how the scores that members of --bagging give a feature become one: {} "
                           "(default: {})",
                           fmt::join(detail::words_of<Combine>(), " | "),
                           word_of(BaggingOptions{}.combine)),
       .group = group,
       .words = detail::words_of<Combine>()},
  };
}

Flag output_flag(const std::string& group, const std::string& help) {
  return {.name = "output",
          .letter = 'o',
          .takes = Takes::file,
          .value = "FILE",
          .help = help,
          .group = group};
}

Flag top_flag(const std::string& group) {
  return {
      .name = "top",
      .letter = 'k',
      .takes = Takes::text,
      .value = "K",
      .help =
          "exactly the K best features (of those kept, if the method chooses a subset), a share "
          "of them such as 5%, 'all', 'auto': as many as add what chance would not, or "
          "'relevant': all whose q is at most --fdr (these two: ridge_omp, or --diversify)",
      .group = group,
      .words = {"all", "auto", "relevant"}};
}

Flag format_flag(const std::string& group, std::vector<std::string> words) {
  words.emplace_back("text");
  return {.name = "format",
          .takes = Takes::word,
          .value = "WORD",
          .help = fmt::format("{}: the same as the switch of that name", fmt::join(words, " | ")),
          .group = group,
          .words = words,
          .turns_on = true};
}

Flag trace_flag(const std::string& group) {
  return {.name = "trace",
          .takes = Takes::file,
          .value = "FILE",
          .help =
              "also write what chance decided and what each iteration did, as JSON lines: "
              "enough to recompute the result elsewhere",
          .group = group};
}

Flag report_flag(const std::string& group) {
  return {.name = "report",
          .takes = Takes::file,
          .value = "FILE",
          .help = "also write a page to look at: one HTML file that works offline",
          .group = group};
}

std::vector<Flag> joined(std::initializer_list<std::vector<Flag>> groups) {
  std::vector<Flag> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

std::vector<Flag> without(const std::vector<std::string>& names, std::vector<Flag> flags) {
  std::erase_if(
      flags, [&](const Flag& flag) { return std::ranges::find(names, flag.name) != names.end(); });
  return flags;
}

const Method& chosen_method(const Arguments& arguments) {
  const std::string name = arguments.text("method", kAutomatic);
  if (projection_called(name) != nullptr)
    throw InvalidArgument(fmt::format(
        "{0}: {1} is a projection: it makes new features of all columns, and ranks none; tamis "
        "project FILE --method {1} writes them",
        arguments.command->name, name));
  return find_method(name);
}

OptionTexts method_options(std::string_view method, const Arguments& arguments) {
  OptionTexts texts;
  for (const Flag& flag : arguments.command->flags) {
    if (flag.owners.empty() || !arguments.has(flag.name)) continue;
    std::string option = flag.name;
    std::ranges::replace(option, '-', '_');
    if (std::ranges::find(flag.owners, method) == flag.owners.end())
      throw InvalidArgument(fmt::format(
          "{} has no option '{}'; it belongs to {}{}", method, option, fmt::join(flag.owners, ", "),
          arguments.has("method") ? "" : "; name a method with --method"));
    texts[option] = *arguments.text(flag.name);
  }
  return texts;
}

}  // namespace tamis::cli
