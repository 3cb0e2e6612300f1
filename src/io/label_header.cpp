#include "io/label_header.hpp"

#include <algorithm>

#include "io/columns.hpp"

namespace tamis {

std::string label_header(const Table& table, std::span<const Index> columns) {
  if (!table.label_name.empty()) return table.label_name;
  for (const std::string& name : default_label_names())
    if (std::ranges::none_of(columns, [&](Index c) { return table.feature_names[c] == name; }))
      return name;
  return "labels";
}

}  // namespace tamis
