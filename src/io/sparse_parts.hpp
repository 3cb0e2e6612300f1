#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "io/sparse_rows.hpp"
#include "tamis/core/table.hpp"

namespace tamis {

/// A sparse table as SciPy and AnnData keep it, row by row (CSR) or column by column (CSC): where
/// each line starts among the entries (indptr), and the entries' places in it (indices) and values.
template <class T>
struct SparseParts {
  std::vector<Index> starts = {};
  std::vector<ColumnIndex> indices = {};
  std::vector<T> values = {};
};

namespace detail {

/// Whether indices ascend strictly in every line.
inline bool ascends_within_lines(const std::vector<Index>& starts,
                                 const std::vector<ColumnIndex>& indices) {
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    bool ascends = true;  // without a stop within the line
    for (Index e = starts[i] + 1; e < starts[i + 1]; ++e) ascends &= indices[e - 1] < indices[e];
    if (!ascends) return false;
  }
  return true;
}

/// Whether the first and the last index of every line are among 0 .. width - 1.
inline bool ends_within(const std::vector<Index>& starts, const std::vector<ColumnIndex>& indices,
                        Index width) {
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    if (starts[i] < starts[i + 1] &&
        (indices[starts[i]] < 0 || indices[starts[i + 1] - 1] >= width))
      return false;
  return true;
}

}  // namespace detail

/// "is damaged: an index is not among 0 to 7".
inline std::string fault_outside(Index width) {
  return fmt::format("is damaged: an index is not among 0 to {}", width - 1);
}

/// What is wrong with an index; empty if nothing is.
inline std::string fault_of_indices(const std::vector<ColumnIndex>& indices, Index width) {
  std::uint32_t largest = 0;  // all of them, without a stop: negative ones are large, too
  for (const ColumnIndex index : indices)
    largest = std::max(largest, static_cast<std::uint32_t>(index));
  if (indices.empty() || largest < width) return "";
  return fault_outside(width);
}

/// The same of starts of so many lines, which ascend from 0 to the number of entries.
inline std::string fault_of_starts(const std::vector<Index>& starts, Index n_indices,
                                   Index n_values, Index lines) {
  if (std::ssize(starts) != lines + 1 || starts.front() != 0 || starts.back() != n_indices ||
      !std::ranges::is_sorted(starts) || n_values != n_indices)
    return "is damaged: its parts data, indices and indptr do not fit each other";
  return "";
}

/// The table that parts by rows make, whose starts are sound. Entries of one place are added up.
/// @param refuse what to call with the fault of an index
template <class T, class Refuse>
CsrTable<T> table_of(SparseParts<T> parts, Index rows, Index cols, const Refuse& refuse) {
  auto& [starts, indices, values] = parts;
  if (detail::ascends_within_lines(starts, indices)) {
    if (!detail::ends_within(starts, indices, cols)) refuse(fault_outside(cols));
    return {.cols = cols,
            .offsets = std::move(starts),
            .columns = std::move(indices),
            .values = std::move(values)};
  }
  if (const std::string fault = fault_of_indices(indices, cols); !fault.empty()) refuse(fault);
  return gather_entries<T>(rows, cols, [&](const auto& put) {
    for (Index line = 0; line + 1 < std::ssize(parts.starts); ++line)
      for (Index e = parts.starts[line]; e < parts.starts[line + 1]; ++e)
        put(line, parts.indices[e], parts.values[e]);
  });
}

}  // namespace tamis
