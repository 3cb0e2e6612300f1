#include "graphs/coinciding_rows.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <span>

#include "tamis/core/buffer.hpp"

namespace tamis {
namespace {

/// A number made of the values of a row: equal rows have equal ones, and hardly any others do.
struct Fingerprint {
  std::uint64_t print = 0x9e3779b97f4a7c15;
  Index row = 0;

  void add(double value) {
    print = (print ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 0xff51afd7ed558ccd;  // -0 is 0
    print ^= print >> 32;
  }
  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

std::vector<Fingerprint> fingerprints(const MatrixView& x, std::span<const Index> rows) {
  constexpr Index kRows = 256;
  constexpr Index kWidth = 64;
  std::vector<Fingerprint> prints(rows.size());
  for (std::size_t s = 0; s < rows.size(); ++s) prints[s].row = rows[s];
  Buffer<double> block(std::min(kRows, std::ssize(rows)) * std::min(kWidth, x.cols()));
  for (Index from = 0; from < std::ssize(rows); from += kRows)
    for (Index first = 0; first < x.cols(); first += kWidth) {
      const Index count = std::min(kRows, std::ssize(rows) - from);
      const Index width = std::min(kWidth, x.cols() - first);
      copy_columns(x, rows.subspan(from, count), first, width, block.data());
      // Column by column: a print waits for each of its steps, those of other rows do not.
      for (Index c = 0; c < width; ++c)
        for (Index s = 0; s < count; ++s) prints[from + s].add(block[s * width + c]);
    }
  return prints;
}

/// The rows of one group that coincide, ascending.
RowGroups coinciding(const MatrixView& x, std::span<const Index> rows) {
  std::vector<Fingerprint> prints = fingerprints(x, rows);
  std::ranges::sort(prints);
  RowGroups all;
  for (std::size_t from = 0; from < prints.size();) {
    const Fingerprint& first = prints[from];
    std::size_t to = from + 1;
    std::vector<Index> same;
    for (; to < prints.size() && prints[to].print == first.print; ++to)
      if (squared_distance(x, first.row, prints[to].row) == 0.0) same.push_back(prints[to].row);
    if (!same.empty()) {
      same.insert(same.begin(), first.row);
      all.push_back(std::move(same));
    }
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
