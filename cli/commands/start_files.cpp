#include "cli/commands/start_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cli/console/run_report.hpp"
#include "io/columns.hpp"
#include "io/table_rows.hpp"

namespace tamis::cli {
namespace {

constexpr Index kNotFound = -1;

std::optional<Table> read_start_file(const Arguments& arguments, const std::string& flag,
                                     const Voice& voice) {
  const auto path = arguments.text(flag);
  if (!path) return std::nullopt;
  ReadOptions options{.label_column = "none"};
  if (arguments.is_on("header")) options.has_header = true;
  return read_with_notes(*path, options, voice);
}

/// @throws DataError unless the file has a column for each feature and one of the numbers of rows
void check_shape(const Table& table, const std::string& path, const std::string& what,
                 const std::vector<Index>& row_counts, const std::vector<std::string>& features) {
  const bool fits = std::ranges::find(row_counts, table.rows()) != row_counts.end();
  if (fits && table.cols() == std::ssize(features)) return;
  throw DataError(fmt::format("{} has {} and {}; {} of {} need {} row{} and {}", path,
                              counted(table.rows(), "row"), counted(table.cols(), "column"), what,
                              counted(std::ssize(features), "feature"),
                              fmt::join(row_counts, " or "), row_counts.back() == 1 ? "" : "s",
                              counted(std::ssize(features), "column")));
}

/// Where each feature of the table stands in the file.
std::vector<Index> columns_by_name(const Table& table, const std::string& path,
                                   const std::vector<std::string>& features) {
  const std::vector<std::string>& names = table.feature_names;
  const bool has_names = names != numbered_names(table.cols());
  if (!has_names || names == features) return all_indices(table.cols());
  std::unordered_map<std::string, Index> feature_of;
  for (Index r = 0; r < std::ssize(features); ++r) feature_of.emplace(features[r], r);
  std::vector<Index> columns(names.size(), kNotFound);
  for (Index column = 0; column < table.cols(); ++column) {
    const std::string& name = names[column];
    const auto feature = feature_of.find(name);
    if (feature == feature_of.end())
      throw DataError(fmt::format("{}: column '{}' is not a feature of the table{}", path, name,
                                  did_you_mean(name, features)));
    if (columns[feature->second] != kNotFound)
      throw DataError(fmt::format("{}: column '{}' stands there twice", path, name));
    columns[feature->second] = column;
  }
  return columns;
}

std::vector<double> values_of(const Table& table, const std::string& path,
                              const std::vector<std::string>& features) {
  const std::vector<Index> columns = columns_by_name(table, path, features);
  std::vector<double> values;
  table.view().visit([&](const auto& view) {
    auto rows = gather_rows(view, columns);
    for (Index q = 0; q < view.rows(); ++q)
      for (const auto value : rows.row(q)) values.push_back(static_cast<double>(value));
  });
  const auto bad = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return values;
  const Index place = bad - values.begin();
  throw DataError(fmt::format("{}: row {} has a value that is not finite, for feature {}", path,
                              place / std::ssize(features),
                              column_name(features, place % std::ssize(features))));
}

}  // namespace

StartFiles read_start_files(const Arguments& arguments, const Voice& voice) {
  if (arguments.has("init-weights") && !arguments.has("init"))
    throw InvalidArgument("--init-weights belongs to centroids: give --init FILE too");
  return {.centroids = read_start_file(arguments, "init", voice),
          .weights = read_start_file(arguments, "init-weights", voice)};
}

ClusterStart start_of(const Arguments& arguments, const StartFiles& files, Learns learns,
                      Index n_clusters, const std::vector<std::string>& features) {
  const std::string path = name_of_input(*arguments.text("init"));
  const std::string clusters = counted(n_clusters, "cluster");
  check_shape(*files.centroids, path, clusters, {n_clusters}, features);
  ClusterStart start{.centroids = values_of(*files.centroids, path, features)};
  if (!files.weights) return start;
  const std::string weights_path = name_of_input(*arguments.text("init-weights"));
  if (learns == Learns::weights_of_clusters)
    check_shape(*files.weights, weights_path, "weights of " + clusters, {1, n_clusters}, features);
  else
    check_shape(*files.weights, weights_path, "weights", {1}, features);
  start.weights = values_of(*files.weights, weights_path, features);
  return start;
}

}  // namespace tamis::cli
