#include "io/annotations.hpp"

#include <fmt/format.h>

#include "io/columns.hpp"
#include "io/id_columns.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

/// The part of the roles that is about the table's own columns, which come after the annotations.
ColumnRoles behind(const ColumnRoles& all, Index annotations) {
  ColumnRoles roles;
  if (all.label >= annotations) roles.label = *all.label - annotations;
  for (const Index c : all.other_labels)
    if (c >= annotations) roles.other_labels.push_back(c - annotations);
  if (all.id >= annotations) roles.id = *all.id - annotations;
  for (std::size_t r = 0; r < all.features.size(); ++r) {
    if (all.features[r] < annotations) continue;
    roles.features.push_back(all.features[r] - annotations);
    roles.is_kept.push_back(all.is_kept[r]);
  }
  return roles;
}

/// @param table or stream
/// @return the roles of its own columns
template <class Rows>
ColumnRoles take_roles(const std::string& file, Rows& table, const Annotations& annotations,
                       const ReadOptions& options) {
  if (options.transpose)
    throw InvalidArgument(
        fmt::format("{}: its format says which are the features: it is not transposed", file));
  const Index count = std::ssize(annotations.names);
  std::vector<std::string> names = annotations.names;
  names.insert(names.end(), table.feature_names.begin(), table.feature_names.end());
  const ColumnRoles all = assign_roles(file, names, /*has_names=*/true, options);
  ColumnRoles roles = behind(all, count);
  if (roles.features.empty())
    throw DataError(fmt::format("{}: none of its {} columns is left as a feature", file,
                                table.feature_names.size()));
  apply_roles(table, roles);
  if (all.label && *all.label < count) {
    table.label_texts = annotations.texts(*all.label);
    table.label_name = annotations.names[*all.label];
  }
  if constexpr (requires { table.other_labels; })
    for (Index k = 0; k < std::ssize(all.other_labels); ++k)  // its own are there
      if (const Index c = all.other_labels[k]; c < count)
        table.other_labels.insert(table.other_labels.begin() + k,
                                  {annotations.names[c], annotations.texts(c)});
  if (all.id && *all.id < count) table.sample_ids = annotations.texts(*all.id);
  table.notes.insert(table.notes.end(), all.notes.begin(), all.notes.end());
  return roles;
}

}  // namespace

void apply_options(const std::string& file, Table& table, const Annotations& annotations,
                   const ReadOptions& options) {
  const ColumnRoles roles = take_roles(file, table, annotations, options);
  set_ids_apart(table, roles.is_kept);
  if (options.precision == Precision::single) store_single(table);
}

void apply_options(const std::string& file, TableStream& stream, const Annotations& annotations,
                   const ReadOptions& options) {
  take_roles(file, stream, annotations, options);
}

}  // namespace tamis
