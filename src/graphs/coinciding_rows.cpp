#include "graphs/coinciding_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "tamis/core/buffer.hpp"

namespace tamis {
namespace {

/// Of the values of each row; equal rows have equal ones, and hardly any others do.
std::vector<std::uint64_t> fingerprints(const MatrixView& x, std::span<const Index> rows) {
  constexpr Index kRows = 256;
  constexpr Index kWidth = 64;
  std::vector<std::uint64_t> prints(rows.size(), 0x9e3779b97f4a7c15);
  Buffer<double> block(kRows * kWidth);
  for (Index from = 0; from < std::ssize(rows); from += kRows)
    for (Index first = 0; first < x.cols(); first += kWidth) {
      const Index count = std::min(kRows, std::ssize(rows) - from);
      const Index width = std::min(kWidth, x.cols() - first);
      copy_columns(x, rows.subspan(from, count), first, width, block.data());
      for (Index s = 0; s < count; ++s)
        for (Index c = 0; c < width; ++c) {
          std::uint64_t& print = prints[from + s];
          const double value = block[s * width + c] + 0.0;  // -0 is 0
          print = (print ^ std::bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccd;
          print ^= print >> 32;
        }
    }
  return prints;
}

/// The rows of one group that coincide, ascending.
RowGroups coinciding(const MatrixView& x, std::span<const Index> rows) {
  const std::vector<std::uint64_t> prints = fingerprints(x, rows);
  std::vector<Index> order = all_indices(std::ssize(rows));
  std::ranges::stable_sort(order, {}, [&](Index s) { return prints[s]; });
  RowGroups all;
  for (std::size_t from = 0; from < order.size();) {
    std::vector<Index> same{rows[order[from]]};
    std::size_t to = from + 1;
    for (; to < order.size() && prints[order[to]] == prints[order[from]]; ++to)
      if (squared_distance(x, same[0], rows[order[to]]) == 0.0) same.push_back(rows[order[to]]);
    if (same.size() > 1) all.push_back(std::move(same));
    from = to;
  }
  return all;
}

}  // namespace

CoincidingRows coinciding_rows(const MatrixView& x, const RowGroups& groups) {
  CoincidingRows found{.groups = groups};
  for (std::vector<Index>& rows : found.groups) {
    RowGroups of_group = coinciding(x, rows);
    if (of_group.empty()) continue;
    if (found.copies.empty()) found.copies.assign(x.rows(), 1.0);
    for (std::vector<Index>& members : of_group) {
      found.copies[members[0]] = static_cast<double>(members.size());
      for (std::size_t s = 1; s < members.size(); ++s) found.copies[members[s]] = 0.0;
      found.members.push_back(std::move(members));
    }
    std::erase_if(rows, [&](Index row) { return found.copies[row] == 0.0; });
  }
  return found;
}

}  // namespace tamis
