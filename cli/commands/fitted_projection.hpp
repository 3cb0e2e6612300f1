#pragma once

#include <string>

#include "cli/commands/load.hpp"
#include "results/projection_result.hpp"

namespace tamis::cli {

/// What --from names: a result of tamis project --json, to be applied to other rows.
class FittedProjection {
 public:
  /// @throws InvalidArgument for flags that only a fit makes use of
  /// @throws DataError if the file is no such result
  explicit FittedProjection(const Arguments& arguments);

  /// The rows of the table along the components, columns found by name, or by number if the table
  /// or the result has no names; notes which columns are not used.
  /// @throws DataError naming a column that is missing
  ProjectionResult applied_to(const std::string& file, Table& table, const Voice& voice) const;

 private:
  std::vector<Index> features_of(const std::string& file, const Table& table) const;
  std::vector<Index> by_number(const std::string& file, const Table& table) const;

  std::string path_;
  ProjectionResult result_;
};

}  // namespace tamis::cli
