#include "methods/preconditions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/core/error.hpp"

namespace tamis {

std::vector<bool> rankable_columns(const MethodInfo& method, const Problem& problem) {
  std::vector<bool> varies = varying_columns(problem.matrix);
  require_rankable(method, varies);
  return varies;
}

void require_rankable(const MethodInfo& method, const std::vector<bool>& varies) {
  if (std::ranges::find(varies, true) == varies.end())
    throw DataError(fmt::format(
        "{}: every column of the table is constant, so there is nothing to rank", method.name));
}

std::string constant_on_labeled_rows(const MethodInfo& method) {
  return fmt::format("{}: every column is constant over the labeled rows; label more rows",
                     method.name);
}

std::vector<Index> marked_columns(const std::vector<bool>& marks) {
  std::vector<Index> columns;
  for (Index r = 0; r < std::ssize(marks); ++r)
    if (marks[r]) columns.push_back(r);
  return columns;
}

std::vector<double> spread_out(std::span<const double> values, std::span<const Index> columns,
                               Index cols) {
  std::vector<double> all(cols, kUndefined);
  for (std::size_t s = 0; s < columns.size(); ++s) all[columns[s]] = values[s];
  return all;
}

void warn_if_unsupervised(const MethodInfo& method, const Knowledge& known,
                          Diagnostics& diagnostics) {
  if (!known_rows(known).empty()) return;
  diagnostics.warnings.push_back(fmt::format(
      "{} got neither labels nor pairs: the features are ranked without supervision", method.name));
}

}  // namespace tamis
