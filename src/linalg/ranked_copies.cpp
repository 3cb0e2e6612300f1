#include <algorithm>

#include "linalg/ranked_table.hpp"

namespace tamis {
namespace {

template <class T>
void copy_rows_of(const DenseRanks<T>& ranks, Index n, std::span<const Index> rows, Index first,
                  Index width, double* out) {
  for (Index r = 0; r < width; ++r)
    for (Index s = 0; s < std::ssize(rows); ++s)
      out[s * width + r] = ranks.values[(first + r) * n + rows[s]];
}

template <class T>
void copy_rows_of(const SparseRanks<T>& ranks, Index, std::span<const Index> rows, Index first,
                  Index width, double* out) {
  for (Index r = 0; r < width; ++r) {
    const auto end = ranks.rows.begin() + ranks.offsets[first + r + 1];
    auto entry = ranks.rows.begin() + ranks.offsets[first + r];
    for (Index s = 0; s < std::ssize(rows); ++s) {
      entry = std::lower_bound(entry, end, rows[s]);
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
