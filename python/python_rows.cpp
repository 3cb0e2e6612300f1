#include "python/python_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tamis::python {
namespace {

/// The table of the wanted storage in a block, whose memory is used again if it has it already.
template <class Stored>
Stored& stored_in(OwnedTable& block) {
  if (!std::holds_alternative<Stored>(block)) block = Stored{};
  return std::get<Stored>(block);
}

template <class T>
void copy_into(OwnedTable& block, const DenseView<T>& x) {
  auto& table = stored_in<DenseTable<T>>(block);
  table.rows = x.rows();
  table.cols = x.cols();
  table.values.resize(static_cast<std::size_t>(x.rows() * x.cols()));
  for (Index i = 0; i < x.rows(); ++i)
    std::copy_n(x.row(i), x.cols(), table.values.data() + i * x.cols());
}

template <class T>
void copy_into(OwnedTable& block, const CsrView<T>& x) {
  block = empty_like(x);
  append_rows(block, x, all_indices(x.rows()));
}

}  // namespace

PythonRows::PythonRows(nb::object source)
    : source_(std::move(source)),
      rows_(nb::cast<Index>(source_.attr("shape")[0])),
      cols_(nb::cast<Index>(source_.attr("shape")[1])),
      is_single_(nb::cast<bool>(source_.attr("is_single"))),
      is_sparse_(nb::cast<bool>(source_.attr("is_sparse"))),
      bytes_per_row_(nb::cast<Index>(source_.attr("bytes_per_row"))),
      rows_at_once_(nb::cast<Index>(source_.attr("rows_at_once"))),
      reading_bytes_per_row_(nb::cast<Index>(source_.attr("reading_bytes_per_row"))) {}

PythonRows::~PythonRows() {
  const nb::gil_scoped_acquire gil;
  source_.reset();
}

void PythonRows::read(Index first, Index count, OwnedTable& block) {
  const nb::gil_scoped_acquire gil;
  const nb::object held = source_.attr("read")(first, count);
  const MatrixView view = nb::cast<const Table&>(held).view();
  if (view.rows() != count || view.cols() != cols_ || view.is_single() != is_single_ ||
      view.is_sparse() != is_sparse_)
    throw IoError(fmt::format("rows {} to {} of X are not {} x {} any more, but {} x {}", first,
                              first + count - 1, count, cols_, view.rows(), view.cols()));
  const nb::gil_scoped_release unlocked;
  view.visit([&](const auto& x) { copy_into(block, x); });
}

std::string PythonRows::fingerprint() const {
  const nb::gil_scoped_acquire gil;
  return nb::cast<std::string>(source_.attr("fingerprint")());
}

}  // namespace tamis::python
