#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/start_files.hpp"
#include "cli/console/command.hpp"
#include "tamis/registry/clusterings.hpp"

namespace tamis::cli {

/// Features that --local lists for each cluster if it does not say how many.
inline constexpr Index kLocalFeatures = 10;

/// A clustering and what flags say of it.
struct ClusteringChoice {
  const ClusteringMethod* method;
  OptionTexts texts = {};
  NamedValues resolved = {};
  std::optional<Index> n_local = std::nullopt;
};

/// The clustering that is named, if one is, checked before any table is read.
/// @throws InvalidArgument for flags that are wrong, or of no use to the clustering
std::optional<ClusteringChoice> named_clustering(const Arguments& arguments);

/// The clustering for what is known, and a note on that.
/// @throws InvalidArgument likewise
ClusteringChoice default_choice(const Arguments& arguments, const Knowledge& known,
                                const Voice& voice);

/// The number of clusters that was asked for, if any.
std::optional<Index> wanted_clusters(const ClusteringChoice& choice);

/// A given start says how many clusters there are, unless that was asked for.
void adopt_start(ClusteringChoice& choice, const StartFiles& start);

/// The names of the clusterings that make use of a flag which not all use, or of those that do not.
std::string users_of(std::string_view name, bool are_users = true);

/// --method, and every option of every clustering.
std::vector<Flag> clustering_flags();

}  // namespace tamis::cli
