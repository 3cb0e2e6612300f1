#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "tamis/core/buffer.hpp"
#include "tamis/core/matrix.hpp"
#include "tamis/core/run.hpp"

namespace tamis {

/// Columns one after the other.
template <class T>
struct DenseRanks {
  Buffer<T> values = {};
};

/// Column r is `base[r]`, the value of the zeros of the table, plus the entries offsets[r] ..
/// offsets[r + 1] - 1 of rows (ascending) and values.
template <class T>
struct SparseRanks {
  std::vector<double> base = {};
  std::vector<Index> offsets = {};
  Buffer<Index> rows = {};
  Buffer<T> values = {};
};

/// The columns z of a table as average ranks (ties share theirs), shifted and scaled to mean 0 and
/// population variance 1; a constant column is 0. No increasing transform of a column changes it. A
/// sparse table stays sparse: its zeros share one rank. Numbers are stored as precisely as the
/// table's. Costs O(n log n) per column at most, and as much memory as the table, which a dense
/// one need not keep meanwhile.
class RankedTable {
 public:
  explicit RankedTable(const MatrixView& x, const ForgetRows& forget = nullptr);
  /// Of ranks that someone else has taken, over more rows: column by column.
  RankedTable(Index rows, Buffer<double> ranks, std::vector<double> spread,
              std::vector<Index> most_frequent);

  Index rows() const { return rows_; }
  Index cols() const { return std::ssize(spread_); }
  bool is_single() const { return storage_->index() % 2 == 1; }
  /// (mean |z - median z|)^2 of each column, the most that a balanced split of the rows can explain
  /// of it: 3/4 where no values tie, about p for 0/1 columns with few (share p) ones. 0 only for
  /// constant columns, and those that were left out.
  std::span<const double> spread() const { return spread_; }
  /// How many rows share the most frequent value of each column.
  std::span<const Index> most_frequent() const { return most_frequent_; }
  /// The same ranks, not copied, where the given columns have no spread: to whoever weighs columns
  /// by their spread it is the table of the others.
  RankedTable without(std::span<const Index> columns) const;

  /// The given rows (ascending) of `width` columns from `first` on, row-major.
  void copy_rows(std::span<const Index> rows, Index first, Index width, double* out) const;
  /// Rows first_row .. first_row + count - 1 of one column.
  void copy_column(Index column, Index first_row, Index count, double* out) const;

  /// out[s * width + c] = sum_i z(i, columns[s]) v[i * width + c], in double and in an order of
  /// summation that depends on n alone: equal columns get equal bits wherever they stand.
  void dot(std::span<const Index> columns, const double* v, Index width, double* out) const;

  /// out = Z'v (cols x width) and out = Zb (rows x width) by matrix products in the precision of
  /// the table, block by block, summed in double.
  void multiply_transposed(const double* v, Index width, double* out) const;
  void multiply(const double* b, Index width, double* out) const;

 private:
  using Storage =
      std::variant<DenseRanks<double>, DenseRanks<float>, SparseRanks<double>, SparseRanks<float>>;

  Index rows_;
  std::vector<double> spread_;
  std::vector<Index> most_frequent_;
  std::shared_ptr<const Storage> storage_;
};

}  // namespace tamis
