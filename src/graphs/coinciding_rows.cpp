#include "graphs/coinciding_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <span>

#include "core/cpu.hpp"
#include "tamis/core/buffer.hpp"

namespace tamis {
namespace {

/// A number made of the values of a row: equal rows have equal ones, and hardly any others do.
struct Fingerprint {
  std::uint64_t print = 0;
  Index row = 0;

  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

/// What is added to the bits of values of the column: as good as random.
std::uint64_t key_of(Index column) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(column) + 1) * 0x9e3779b97f4a7c15;
  return (bits ^ (bits >> 32)) * 0xff51afd7ed558ccd;
}

/// Of each value the product of both halves of its bits, to which those of the key are added: as NH
/// (Black et al., UMAC, CRYPTO 1999) makes them of texts. Many values are looked at at once.
std::uint64_t print_of(const double* values, const std::uint64_t* keys, Index count) {
  return for_this_cpu([=](auto) TAMIS_KERNEL {
    std::uint64_t sum = 0;
    for (Index c = 0; c < count; ++c) {
      const auto bits = std::bit_cast<std::uint64_t>(values[c] + 0.0);  // -0 is 0
      const std::uint64_t low = (bits + keys[c]) & 0xffffffff;
      const std::uint64_t high = ((bits >> 32) + (keys[c] >> 32)) & 0xffffffff;
      sum += low * high;
    }
    return sum;
  });
}

std::vector<Fingerprint> fingerprints(const MatrixView& x, std::span<const Index> rows) {
  constexpr Index kRows = 256;
  constexpr Index kWidth = 128;
  std::vector<Fingerprint> prints(rows.size());
  for (std::size_t s = 0; s < rows.size(); ++s) prints[s].row = rows[s];
  Buffer<double> block(std::min(kRows, std::ssize(rows)) * std::min(kWidth, x.cols()));
  std::array<std::uint64_t, kWidth> keys;
  for (Index first = 0; first < x.cols(); first += kWidth) {
    const Index width = std::min(kWidth, x.cols() - first);
    for (Index c = 0; c < width; ++c) keys[c] = key_of(first + c);
    for (Index from = 0; from < std::ssize(rows); from += kRows) {
      const Index count = std::min(kRows, std::ssize(rows) - from);
      copy_columns(x, rows.subspan(from, count), first, width, block.data());
      for (Index s = 0; s < count; ++s)
        prints[from + s].print += print_of(block.data() + s * width, keys.data(), width);
    }
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
