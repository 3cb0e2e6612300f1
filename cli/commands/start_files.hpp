#pragma once

#include <optional>

#include "cli/commands/load.hpp"
#include "tamis/clustering/clustering.hpp"

namespace tamis::cli {

/// What --init and --init-weights name: a row for each cluster, a column for each feature.
struct StartFiles {
  std::optional<Table> centroids = std::nullopt;
  std::optional<Table> weights = std::nullopt;
};

/// @throws InvalidArgument for weights without centroids
StartFiles read_start_files(const Arguments& arguments, const Voice& voice);

/// The start that they hold, its columns in the order of the table's. Columns with names may come
/// in any order.
/// @param features the names of the table's columns
/// @throws DataError for a wrong shape, saying the right one, for columns that the table does not
/// have, and for values that are not finite
ClusterStart start_of(const Arguments& arguments, const StartFiles& files, Learns learns,
                      Index n_clusters, const std::vector<std::string>& features);

}  // namespace tamis::cli
