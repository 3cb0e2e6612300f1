#include "cli/commands/clustering_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "cli/commands/flags.hpp"
#include "clustering/kmeans/constrained_kmeans.hpp"
#include "clustering/kmeans/kmeans.hpp"
#include "clustering/kmeans/mpc_kmeans.hpp"
#include "tamis/core/error.hpp"
#include "tamis/registry/methods.hpp"

namespace tamis::cli {
namespace {

/// A flag of which only some clusterings make use.
struct FlagOfSome {
  std::string_view name;
  bool (*is_for)(const ClustererInfo& info);
};

constexpr std::array<FlagOfSome, 9> kFlagsOfSome{{
    {"init", [](const ClustererInfo& info) { return info.takes_start; }},
    {"init-weights",
     [](const ClustererInfo& info) { return info.takes_start && info.learns != Learns::nothing; }},
    {"rows", [](const ClustererInfo& info) { return info.takes_rows; }},
    {"local", [](const ClustererInfo& info) { return info.learns == Learns::weights_of_clusters; }},
    {"constraints", [](const ClustererInfo& info) { return info.takes_constraints; }},
    {"close-constraints", [](const ClustererInfo& info) { return info.takes_constraints; }},
    {"memory", [](const ClustererInfo& info) { return info.streams; }},
    {"checkpoint", [](const ClustererInfo& info) { return info.streams; }},
    {"spill", [](const ClustererInfo& info) { return info.streams; }},
}};

/// @throws InvalidArgument for a flag of which only other clusterings make use, naming them
void refuse_foreign_flags(const Arguments& arguments, const ClustererInfo& info) {
  for (const FlagOfSome& flag : kFlagsOfSome)
    if (arguments.has(std::string(flag.name)) && !flag.is_for(info))
      throw InvalidArgument(fmt::format("{} makes no use of --{}; it is for {}", info.name,
                                        flag.name, users_of(flag.name)));
}

/// What help shows where no clustering is named: what is meant if there are labels.
constexpr std::string_view kUsual = ConstrainedKmeansOptions::info.name;

const ClusteringMethod& clustering_called(const std::string& name) {
  return find_clustering(name == kAutomatic ? std::string(kUsual) : name);
}

/// What --local says: how many features to list for each cluster.
std::optional<Index> local_features(const Arguments& arguments) {
  const std::string text = arguments.text("local", "false");
  if (text == "false") return std::nullopt;
  return text == "true" ? kLocalFeatures : arguments.integer("local", 0, 1);
}

/// @throws InvalidArgument for flags that are wrong, or of no use to the clustering
ClusteringChoice choice_of(const Arguments& arguments, const ClusteringMethod& method) {
  refuse_foreign_flags(arguments, method.info);
  ClusteringChoice choice{.method = &method, .texts = method_options(method.info.name, arguments)};
  choice.resolved = method.resolve(choice.texts);
  choice.n_local = local_features(arguments);
  return choice;
}

}  // namespace

std::string users_of(std::string_view name, bool are_users) {
  const FlagOfSome& flag = *std::ranges::find(kFlagsOfSome, name, &FlagOfSome::name);
  std::vector<std::string_view> names;
  for (const ClusteringMethod& method : clusterings())
    if (flag.is_for(method.info) == are_users) names.push_back(method.info.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::optional<ClusteringChoice> named_clustering(const Arguments& arguments) {
  if (arguments.is_on("json") && arguments.is_on("csv"))
    throw InvalidArgument("--json and --csv exclude each other");
  seed_of(arguments);
  const std::string name = arguments.text("method", kAutomatic);
  if (name == kAutomatic) return std::nullopt;
  return choice_of(arguments, find_clustering(name));
}

ClusteringChoice default_choice(const Arguments& arguments, const Knowledge& known,
                                const Voice& voice) {
  const ClusteringMethod& method = default_clustering(known);
  voice.note(fmt::format("{}, so the rows are clustered by {}; --method NAME chooses another way",
                         known.has_pairs()             ? "there are pairs"
                         : labeled_rows(known).empty() ? "there are neither labels nor pairs"
                                                       : "there are labels",
                         method.info.name));
  return choice_of(arguments, method);
}

std::optional<Index> wanted_clusters(const ClusteringChoice& choice) {
  const auto found =
      std::ranges::find(choice.resolved, "n_clusters", &NamedValues::value_type::first);
  if (found == choice.resolved.end() || !std::holds_alternative<Index>(found->second))
    return std::nullopt;
  return std::get<Index>(found->second);
}

void adopt_start(ClusteringChoice& choice, const StartFiles& start) {
  if (!start.centroids || wanted_clusters(choice)) return;
  choice.texts["n_clusters"] = std::to_string(start.centroids->rows());
  choice.resolved = choice.method->resolve(choice.texts);
}

std::vector<Flag> clustering_flags() {
  std::vector<std::string> names{std::string(kAutomatic)};
  for (const ClusteringMethod& method : clusterings()) names.emplace_back(method.info.name);
  std::vector<Flag> flags{
      {.name = "method",
       .letter = 'm',
       .takes = Takes::word,
       .value = "NAME",
       .help =
           fmt::format("how to cluster: {} (default: {}, which is {} if there are labels, {} if "
                       "there are pairs and {} else)",
                       fmt::join(names, " | "), kAutomatic, kUsual, MpcKmeansOptions::info.name,
                       KmeansOptions::info.name),
       .group = "Method",
       .words = names,
       .otherwise = std::string(kUsual),
       .options_of = [](const std::string& name) { return clustering_called(name).options; }}};
  for (const ClusteringMethod& method : clusterings())
    add_options(flags, method.info.name, method.options);
  std::ranges::find(flags, "n-clusters", &Flag::name)->letter = 'k';
  return flags;
}

}  // namespace tamis::cli
