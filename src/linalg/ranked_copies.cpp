#include <algorithm>

#include "linalg/ranked_table.hpp"

namespace tamis {
namespace {

/// Up to so many entries for each row that is looked for, all are looked at.
constexpr Index kFewEntries = 4;

template <class T>
void copy_rows_of(const DenseRanks<T>& ranks, Index n, std::span<const Index> rows, Index first,
                  Index width, double* out) {
  for (Index r = 0; r < width; ++r)
    for (Index s = 0; s < std::ssize(rows); ++s)
      out[s * width + r] = ranks.values[(first + r) * n + rows[s]];
}

/// The first of the ascending rows entry .. end - 1 that is no less than the given one: by steps
/// where `is_near`, else by halving.
template <class Iterator>
Iterator advance_to(Iterator entry, Iterator end, Index row, bool is_near) {
  if (!is_near) return std::lower_bound(entry, end, row);
  while (entry != end && *entry < row) ++entry;
  return entry;
}

template <class T>
void copy_rows_of(const SparseRanks<T>& ranks, Index, std::span<const Index> rows, Index first,
                  Index width, double* out) {
  for (Index r = 0; r < width; ++r) {
    const auto end = ranks.rows.begin() + ranks.offsets[first + r + 1];
    auto entry = ranks.rows.begin() + ranks.offsets[first + r];
    const bool is_near = end - entry <= kFewEntries * std::ssize(rows);
    for (Index s = 0; s < std::ssize(rows); ++s) {
      entry = advance_to(entry, end, rows[s], is_near);
      const bool is_stored = entry != end && *entry == rows[s];
      out[s * width + r] =
          ranks.base[first + r] +
          (is_stored ? static_cast<double>(ranks.values[entry - ranks.rows.begin()]) : 0.0);
    }
  }
}

template <class T>
void copy_column_of(const DenseRanks<T>& ranks, Index n, Index column, Index first_row, Index count,
                    double* out) {
  std::copy_n(&ranks.values[column * n + first_row], count, out);
}

template <class T>
void copy_column_of(const SparseRanks<T>& ranks, Index, Index column, Index first_row, Index count,
                    double* out) {
  std::fill_n(out, count, ranks.base[column]);
  const auto begin = ranks.rows.begin() + ranks.offsets[column];
  const auto end = ranks.rows.begin() + ranks.offsets[column + 1];
  for (auto row = std::lower_bound(begin, end, first_row); row != end && *row < first_row + count;
       ++row)
    out[*row - first_row] += ranks.values[row - ranks.rows.begin()];
}

}  // namespace

void RankedTable::copy_rows(std::span<const Index> rows, Index first, Index width,
                            double* out) const {
  std::visit([&](const auto& ranks) { copy_rows_of(ranks, rows_, rows, first, width, out); },
             *storage_);
}

void RankedTable::copy_column(Index column, Index first_row, Index count, double* out) const {
  std::visit(
      [&](const auto& ranks) { copy_column_of(ranks, rows_, column, first_row, count, out); },
      *storage_);
}

}  // namespace tamis
