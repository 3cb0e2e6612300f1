#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands/constraint_report.hpp"
#include "cli/commands/flags.hpp"
#include "cli/commands/load.hpp"
#include "cli/commands/subcommands.hpp"
#include "cli/console/terminal.hpp"
#include "cli/output/output.hpp"
#include "datasets/generators.hpp"
#include "tamis/core/error.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNamesShown = 8;

GeneratedTable generate_cells(const Arguments& arguments, std::uint64_t seed) {
  CellsOptions options;
  options.labels = arguments.integer("labels-per-class", options.labels, 0);
  options.noise = arguments.integer("noise", options.noise, 0);
  return make_cells(arguments.integer("rows", 300, 1), seed, options);
}

GeneratedTable generate_wave(const Arguments& arguments, std::uint64_t seed) {
  return make_wave(arguments.integer("rows", 5000, 1), seed);
}

GeneratedTable generate_blobs(const Arguments& arguments, std::uint64_t seed) {
  BlobsOptions options;
  options.classes = arguments.integer("classes", options.classes, 2);
  options.relevant = arguments.integer("relevant", options.relevant, 1);
  options.redundant = arguments.integer("redundant", options.redundant, 0);
  options.noise = arguments.integer("noise", options.noise, 0);
  options.spread = arguments.positive_number("spread", options.spread);
  return make_blobs(arguments.integer("rows", 300, 1), seed, options);
}

GeneratedTable generate_madelon(const Arguments& arguments, std::uint64_t seed) {
  MadelonOptions options;
  options.relevant = arguments.integer("relevant", options.relevant, 1);
  if (options.relevant > kMostMadelonRelevant)
    throw InvalidArgument(
        fmt::format("generate: --relevant = {} is more than the {} that madelon "
                    "allows",
                    options.relevant, kMostMadelonRelevant));
  options.redundant = arguments.integer("redundant", options.redundant, 0);
  options.noise = arguments.integer("noise", options.noise, 0);
  options.spread = arguments.positive_number("spread", options.spread);
  return make_madelon(arguments.integer("rows", 2600, 1), seed, options);
}

struct Generator {
  std::string name;
  std::vector<std::string> flags;  ///< besides those that all have
  GeneratedTable (*make)(const Arguments&, std::uint64_t seed);
};

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all{
      {"cells", {"labels-per-class", "noise", "pairs"}, generate_cells},
      {"wave", {}, generate_wave},
      {"blobs", {"classes", "relevant", "redundant", "noise", "spread"}, generate_blobs},
      {"madelon", {"relevant", "redundant", "noise", "spread"}, generate_madelon},
  };
  return all;
}

bool takes(const Generator& generator, const std::string& flag) {
  return std::ranges::find(generator.flags, flag) != generator.flags.end();
}

std::string owners(const std::string& flag) {
  std::vector<std::string> names;
  for (const Generator& generator : generators())
    if (takes(generator, flag)) names.push_back(generator.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const Generator& chosen_generator(const Arguments& arguments) {
  const Generator& chosen =
      *std::ranges::find(generators(), arguments.operands.front(), &Generator::name);
  for (const Generator& other : generators())
    for (const std::string& flag : other.flags)
      if (arguments.has(flag) && !takes(chosen, flag))
        throw InvalidArgument(fmt::format("{} has no option '{}'; it belongs to {}", chosen.name,
                                          flag, owners(flag)));
  return chosen;
}

std::vector<Index> columns_of(const GeneratedTable& generated, Role role) {
  std::vector<Index> columns;
  for (Index r = 0; r < std::ssize(generated.roles); ++r)
    if (generated.roles[r] == role) columns.push_back(r);
  return columns;
}

std::string truth_json(const Arguments& arguments, const GeneratedTable& generated,
                       std::uint64_t seed) {
  const bool has_groups = !generated.groups.empty();
  const Json object = {{"schema", "tamis/truth/1"},
                       {"version", TAMIS_VERSION},
                       {"generator", arguments.operands.front()},
                       {"seed", seed},
                       {"rows", generated.table.rows()},
                       {"features", generated.table.cols()},
                       {"names", generated.table.feature_names},
                       {"relevant", columns_of(generated, Role::relevant)},
                       {"redundant", columns_of(generated, Role::redundant)},
                       {"noise", columns_of(generated, Role::noise)},
                       {"groups", has_groups ? Json(generated.groups) : Json(nullptr)},
                       {"class_names", generated.class_names},
                       {"classes", generated.classes}};
  return object.dump() + "\n";
}

/// "F2 to F20" of neighbours, a few names one by one, or their number.
std::string listed_names(const GeneratedTable& generated, Role role) {
  const std::vector<Index> columns = columns_of(generated, role);
  const auto& names = generated.table.feature_names;
  if (columns.size() > 2 && columns.back() - columns.front() + 1 == std::ssize(columns))
    return fmt::format("{} to {}", names[columns.front()], names[columns.back()]);
  if (columns.size() > kNamesShown)
    return fmt::format("{} columns; --truth FILE lists them", columns.size());
  std::vector<std::string> parts;
  for (const Index column : columns)
    parts.push_back(fmt::format("{} (column {})", names[column], column));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void describe(const GeneratedTable& generated, const Voice& voice) {
  voice.say(fmt::format("{} rows x {} features", generated.table.rows(), generated.table.cols()));
  voice.say(fmt::format("relevant: {}", listed_names(generated, Role::relevant)));
  if (!columns_of(generated, Role::redundant).empty())
    voice.say(fmt::format("redundant: {}", listed_names(generated, Role::redundant)));
}

void generate(const Arguments& arguments) {
  const Generator& generator = chosen_generator(arguments);
  const std::string path = output_path(arguments, {});
  if (arguments.is_on("json") && path.empty())
    throw InvalidArgument("generate: --json uses stdout: name a file for the table with -o");
  const Format format = output_format(path, Format::csv);
  check_writable(path);
  for (const char* const flag : {"pairs", "truth"})
    if (const auto other = arguments.text(flag)) {
      check_apart(arguments, {"the table", path}, {fmt::format("--{}", flag), *other});
      check_writable(*other);
    }
  const std::uint64_t seed = seed_of(arguments);
  const ThreadLimit limit(static_cast<int>(arguments.integer("threads", 0, 0)));

  const GeneratedTable generated = generator.make(arguments, seed);
  const std::string truth = truth_json(arguments, generated, seed);
  deliver_table(path, generated.table, all_indices(generated.table.cols()), format);
  if (const auto pairs_path = arguments.text("pairs"))
    TextOutput(*pairs_path)
        .write(pair_file(generated.table.sample_ids, generated.pairs.must_link,
                         generated.pairs.cannot_link));
  if (const auto truth_path = arguments.text("truth")) TextOutput(*truth_path).write(truth);
  if (arguments.is_on("json")) write_stdout(truth);
  describe(generated, Voice(arguments));
}

std::vector<Flag> own_flags() {
  const std::string shape = "The table";
  const std::string result = "The result";
  const auto number = [&](std::string name, std::string help) {
    return Flag{.name = std::move(name),
                .takes = Takes::text,
                .value = "N",
                .help = std::move(help),
                .group = shape};
  };
  return {
      number("rows", "number of rows (default: wave 5000, madelon 2600, others 300)"),
      number("seed", "of everything random (default: 0)"),
      number("labels-per-class",
             "cells: labeled rows of each class; the others' labels are empty (default: 3)"),
      number("classes", "blobs: number of classes (default: 3)"),
      number("relevant", "blobs, madelon: features that tell the classes (default: 5)"),
      number("redundant", "blobs, madelon: features made from relevant ones (default: 5, 15)"),
      number("noise", "cells, blobs, madelon: features that tell nothing (default: 215, 40, 480)"),
      number("spread", "blobs, madelon: deviation around a centre (default: 1)"),
      {.name = "output",
       .letter = 'o',
       .takes = Takes::file,
       .value = "FILE",
       .help = "the table, in the format of its extension (default: CSV on stdout)",
       .group = result},
      {.name = "pairs",
       .takes = Takes::file,
       .value = "FILE",
       .help = "cells: a few must-link and cannot-link pairs, as --constraints reads them",
       .group = result},
      {.name = "truth",
       .takes = Takes::file,
       .value = "FILE",
       .help =
           "a JSON file that says which columns are relevant, redundant and noise, and the class "
           "of every row",
       .group = result},
      {.name = "json", .help = "the same on stdout", .group = result},
  };
}

}  // namespace

Command generate_command() {
  std::vector<std::string> names;
  for (const Generator& generator : generators()) names.push_back(generator.name);
  return {
      .name = "generate",
      .summary = "make benchmark data whose relevant features are known",
      .description =
          "Makes a table by formula. cells: gene expression as single-cell studies have it, with "
          "ids and a few labels; six programs of five marker genes tell four types of cells, the "
          "cell cycle (MKI67, TOP2A, PCNA, CDK1, CCNB1) and ZNF1, ZNF2, ... do not. wave: "
          "Breiman's waves, 40 features of which F2 to F20 are "
          "relevant. blobs: separated classes with relevant, redundant and noise features. "
          "madelon: clusters on the vertices of a cube, where no feature tells alone, in "
          "shuffled columns. The classes are in the column 'class'.",
      .operands = {{.name = fmt::format("{}", fmt::join(names, "|")), .words = names}},
      .flags = joined({own_flags(), {threads_flag()}, general_flags()}),
      .examples = {{"tamis generate cells -o cells.csv --pairs pairs.csv",
                    "300 cells, 250 genes, 12 labels, 20 pairs"},
                   {"tamis generate wave -o wave.csv", "5000 rows, 40 features"},
                   {"tamis generate blobs --rows 60 --noise 95 | tamis rank - --top 10",
                    "straight into a ranking"},
                   {"tamis generate madelon -o madelon.csv --truth truth.json",
                    "with the list of relevant columns"}},
      .run = generate};
}

}  // namespace tamis::cli
