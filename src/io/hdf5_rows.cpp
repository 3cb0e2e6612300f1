#include "io/hdf5_rows.hpp"

#include <algorithm>

#include "io/hdf5_sparse.hpp"
#include "io/random_access_file.hpp"
#include "io/sparse_rows.hpp"

namespace tamis {
namespace {

/// Numbers as they are stored, then as T: no other way rounds as reading at once does.
template <class Stored, class T, class Values>
void read_numbers(const Hdf5Object& dataset, Index first, Index count, Values& values) {
  if constexpr (std::is_same_v<Stored, T>) {
    dataset.read_lines(first, count, std::span<T>(values));
  } else {
    Buffer<Stored> stored(values.size());
    dataset.read_lines(first, count, std::span<Stored>(stored));
    std::ranges::transform(stored, values.begin(), [](Stored x) { return static_cast<T>(x); });
  }
}

template <class Table>
Table& table_in(OwnedTable& block) {
  if (!std::holds_alternative<Table>(block)) block = Table{};
  return std::get<Table>(block);
}

template <class Stored, class T>
class DenseRows : public RowSource {
 public:
  DenseRows(std::shared_ptr<const Hdf5File> file, std::shared_ptr<const Hdf5Object> dataset)
      : file_(std::move(file)), dataset_(std::move(dataset)), shape_(hdf5_table_shape(*dataset_)) {
    dataset_->claimed_bytes();
  }

  Index rows() const override { return shape_[0]; }
  Index cols() const override { return shape_[1]; }
  bool is_single() const override { return sizeof(T) == sizeof(float); }
  std::string fingerprint() const override { return file_fingerprint(file_->path()); }
  Index reading_bytes_per_row() const override {
    return std::is_same_v<Stored, T> ? 0 : cols() * Index{sizeof(Stored)};
  }
  /// A compressed piece is read as a whole; unless pieces are so long that rows would be few.
  Index rows_at_once() const override {
    constexpr Index kLargestPiece = Index{64} << 20;
    const std::vector<Index> piece = dataset_->chunk_shape();
    return piece.size() == 2 && piece[0] * bytes_per_row() <= kLargestPiece ? piece[0] : 1;
  }

  void read(Index first, Index count, OwnedTable& block) override {
    auto& table = table_in<DenseTable<T>>(block);
    table.rows = count;
    table.cols = cols();
    table.values.resize(static_cast<std::size_t>(count * cols()));
    read_numbers<Stored, T>(*dataset_, first, count, table.values);
  }

 private:
  std::shared_ptr<const Hdf5File> file_;
  std::shared_ptr<const Hdf5Object> dataset_;
  std::vector<Index> shape_;
};

template <class Stored, class T>
class SparseRows : public RowSource {
 public:
  SparseRows(std::shared_ptr<const Hdf5File> file, std::shared_ptr<const Hdf5Object> group,
             Index rows, Index cols)
      : file_(std::move(file)),
        group_(std::move(group)),
        indices_(hdf5_part(*file_, *group_, "indices")),
        values_(hdf5_part(*file_, *group_, "data")),
        starts_(hdf5_part(*file_, *group_, "indptr").whole_numbers()),
        cols_(cols) {
    check_hdf5_starts(*group_, starts_, items_of(indices_), items_of(values_), rows);
    for (Index i = 0; i < rows; ++i) longest_ = std::max(longest_, starts_[i + 1] - starts_[i]);
  }

  Index rows() const override { return std::ssize(starts_) - 1; }
  Index cols() const override { return cols_; }
  bool is_single() const override { return sizeof(T) == sizeof(float); }
  bool is_sparse() const override { return true; }
  std::string fingerprint() const override { return file_fingerprint(file_->path()); }
  Index bytes_per_row() const override {
    return Index{sizeof(Index)} + longest_ * Index{sizeof(ColumnIndex) + sizeof(T)};
  }
  Index reading_bytes_per_row() const override {
    return std::is_same_v<Stored, T> ? 0 : longest_ * Index{sizeof(Stored)};
  }

  void read(Index first, Index count, OwnedTable& block) override {
    auto& table = table_in<CsrTable<T>>(block);
    const Index begin = starts_[first];
    const Index entries = starts_[first + count] - begin;
    table.cols = cols_;
    table.offsets.resize(static_cast<std::size_t>(count) + 1);
    for (Index i = 0; i <= count; ++i) table.offsets[i] = starts_[first + i] - begin;
    table.columns.resize(static_cast<std::size_t>(entries));
    table.values.resize(static_cast<std::size_t>(entries));
    indices_.read_lines(begin, entries, std::span<ColumnIndex>(table.columns));
    read_numbers<Stored, T>(values_, begin, entries, table.values);
    tidy_hdf5_rows(*group_, table);
  }

 private:
  static Index items_of(const Hdf5Object& list) {
    list.claimed_bytes();
    const auto shape = list.shape().value_or(std::vector<Index>{0});
    return shape.size() == 1 ? shape[0] : -1;
  }

  std::shared_ptr<const Hdf5File> file_;
  std::shared_ptr<const Hdf5Object> group_;
  Hdf5Object indices_;
  Hdf5Object values_;
  std::vector<Index> starts_;
  Index cols_;
  Index longest_ = 0;
};

/// Makes rows of numbers that are stored as one type and wanted as the same or another.
template <template <class, class> class Rows, class... Arguments>
std::unique_ptr<RowSource> rows_of(const Hdf5Object& numbers, Precision precision,
                                   Arguments&&... arguments) {
  if (holds_singles(numbers))
    return std::make_unique<Rows<float, float>>(std::forward<Arguments>(arguments)...);
  if (precision == Precision::single)
    return std::make_unique<Rows<double, float>>(std::forward<Arguments>(arguments)...);
  return std::make_unique<Rows<double, double>>(std::forward<Arguments>(arguments)...);
}

}  // namespace

std::unique_ptr<RowSource> hdf5_dense_rows(std::shared_ptr<const Hdf5File> file,
                                           std::shared_ptr<const Hdf5Object> dataset,
                                           Precision precision) {
  const Hdf5Object& numbers = *dataset;
  return rows_of<DenseRows>(numbers, precision, std::move(file), std::move(dataset));
}

std::unique_ptr<RowSource> hdf5_sparse_rows(std::shared_ptr<const Hdf5File> file,
                                            std::shared_ptr<const Hdf5Object> group, Index rows,
                                            Index cols, bool is_trusted, Precision precision) {
  check_hdf5_sparse_shape(*file, *group, rows, cols, is_trusted);
  const Hdf5Object numbers = hdf5_part(*file, *group, "data");
  return rows_of<SparseRows>(numbers, precision, std::move(file), std::move(group), rows, cols);
}

}  // namespace tamis
