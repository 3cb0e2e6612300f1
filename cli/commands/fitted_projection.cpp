#include "cli/commands/fitted_projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "cli/console/run_report.hpp"
#include "io/byte_source.hpp"
#include "io/columns.hpp"

namespace tamis::cli {
namespace {

constexpr Index kUnused = -1;

void refuse_flags_of_a_fit(const Arguments& arguments) {
  const auto refuse = [&](const std::string& flag) {
    if (arguments.has(flag))
      throw InvalidArgument(
          fmt::format("project: --{} is for fitting, and --from brings what was fitted: leave one "
                      "of them out",
                      flag));
  };
  for (const char* const flag :
       {"method", "labels", "constraints", "close-constraints", "labels-per-class", "scale"})
    refuse(flag);
  for (const Flag& flag : arguments.command->flags)
    if (!flag.owners.empty()) refuse(flag.name);
}

std::vector<double> chosen(const std::vector<double>& values, const std::vector<Index>& places) {
  std::vector<double> result;
  for (const Index place : places) result.push_back(values[place]);
  return result;
}

DenseTable<double> chosen_columns(const DenseTable<double>& table,
                                  const std::vector<Index>& columns) {
  DenseTable<double> result{.rows = table.rows, .cols = std::ssize(columns)};
  for (Index i = 0; i < table.rows; ++i)
    for (const Index column : columns)
      result.values.push_back(table.values[i * table.cols + column]);
  return result;
}

void scale(const std::string& file, Table& table, const Scaling& scaling) {
  if (table.view().is_sparse() &&
      std::ranges::any_of(scaling.shift, [](double shift) { return shift != 0.0; }))
    throw DataError(fmt::format(
        "{}: is sparse, and the projection was fitted to columns that --scale shifted: give the "
        "rows as a dense table",
        file));
  scale_columns(table.data, scaling);
}

}  // namespace

FittedProjection::FittedProjection(const Arguments& arguments) : path_(*arguments.text("from")) {
  refuse_flags_of_a_fit(arguments);
  ByteSource source(path_);
  try {
    result_ = read_projection_result(std::string(source.rest()));
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}; --from takes what tamis project --json writes",
                                source.name(), error.what()));
  }
}

std::vector<Index> FittedProjection::by_number(const std::string& file, const Table& table) const {
  if (table.cols() != std::ssize(result_.names))
    throw DataError(
        fmt::format("{}: has {}, and the projection of {} was fitted to {}; without "
                    "names, columns are told by their numbers",
                    file, counted(table.cols(), "feature"), path_, result_.names.size()));
  return all_indices(table.cols());
}

/// The feature of the fit that each column is.
std::vector<Index> FittedProjection::features_of(const std::string& file,
                                                 const Table& table) const {
  const std::vector<std::string>& names = result_.names;
  if (table.feature_names == numbered_names(table.cols()) ||
      names == numbered_names(std::ssize(names)))
    return by_number(file, table);
  std::unordered_map<std::string, Index> column_of;
  for (Index r = 0; r < table.cols(); ++r) column_of.emplace(table.feature_names[r], r);
  std::vector<Index> features(table.cols(), kUnused);
  for (Index feature = 0; feature < std::ssize(names); ++feature) {
    const auto column = column_of.find(names[feature]);
    if (column == column_of.end())
      throw DataError(fmt::format("{}: has no column '{}', which the projection of {} needs{}",
                                  file, names[feature], path_,
                                  did_you_mean(names[feature], table.feature_names)));
    features[column->second] = feature;
  }
  return features;
}

ProjectionResult FittedProjection::applied_to(const std::string& file, Table& table,
                                              const Voice& voice) const {
  std::vector<Index> columns;
  std::vector<Index> features;
  const std::vector<Index> all = features_of(file, table);
  for (Index r = 0; r < table.cols(); ++r)
    if (all[r] != kUnused) {
      columns.push_back(r);
      features.push_back(all[r]);
    }
  if (const Index unused = table.cols() - std::ssize(columns); unused > 0)
    voice.note(fmt::format("{}: the projection of {} makes no use of {}", file, path_,
                           counted(unused, "column")));
  table.data = gathered(table.view(), all_indices(table.rows()), columns);
  ProjectionResult result = result_;
  if (result.scaling) {
    const Scaling of_columns{chosen(result.scaling->shift, features),
                             chosen(result.scaling->width, features)};
    scale(file, table, of_columns);
  }
  result.projection.projected =
      projected_rows(table.view(), chosen(result.projection.mean, features),
                     chosen_columns(result.projection.components, features));
  result.projection.warnings.clear();
  return result;
}

}  // namespace tamis::cli
