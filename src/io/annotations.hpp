#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/table_stream.hpp"
#include "tamis/io/open.hpp"
#include "tamis/io/table.hpp"

namespace tamis {

/// Columns of texts beside a table of numbers: they may hold the labels and the ids, no features.
struct Annotations {
  std::vector<std::string> names = {};
  /// The texts of one of them, a text for each row; asked only for those that are of use.
  std::function<std::vector<std::string>(Index)> texts = {};
};

/// Does to a table with names what the options ask, as apply_options does to one without: a column
/// or an annotation becomes the labels or the ids.
/// @throws as assign_roles (columns.hpp)
void apply_options(const std::string& file, Table& table, const Annotations& annotations,
                   const ReadOptions& options);
void apply_options(const std::string& file, TableStream& stream, const Annotations& annotations,
                   const ReadOptions& options);

}  // namespace tamis
