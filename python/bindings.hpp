#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <type_traits>

#include "tamis/core/error.hpp"
#include "tamis/core/options.hpp"
#include "tamis/core/parallel.hpp"
#include "tamis/core/problem.hpp"
#include "tamis/core/run.hpp"
#include "tamis/core/table.hpp"
#include "tamis/registry/clusterings.hpp"

/// What the files of tamis._core share: tables that Python holds, and plain values for results.
namespace tamis::python {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using Column = nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Dense = nb::ndarray<nb::numpy, const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Pairs = nb::ndarray<nb::numpy, const Index, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Column<T>& column) {
  return {column.data(), column.size()};
}

/// Whether columns ascend strictly within each row.
/// @throws DataError if the arrays do not describe a table at all
template <class Integer>
bool is_canonical(const Column<Index>& offset_array, const Column<Integer>& column_array,
                  Index values, Index cols);

/// A table that NumPy arrays hold; it keeps them alive and copies nothing.
class Table {
 public:
  template <class T>
  explicit Table(Dense<T> x)
      : view_(
            DenseView<T>(x.data(), static_cast<Index>(x.shape(0)), static_cast<Index>(x.shape(1)))),
        held_{nb::ndarray<>(x)} {}

  template <class T>
  Table(Column<Index> offsets, Column<ColumnIndex> columns, Column<T> values, Index cols)
      : view_(CsrView<T>(span_of(offsets), span_of(columns), span_of(values), cols)),
        held_{nb::ndarray<>(offsets), nb::ndarray<>(columns), nb::ndarray<>(values)} {
    if (!is_canonical(offsets, columns, static_cast<Index>(values.size()), cols))
      throw DataError("the columns of the sparse table must ascend within each row");
  }

  const MatrixView& view() const { return view_; }

 private:
  MatrixView view_;
  std::vector<nb::ndarray<>> held_;
};

template <class T>
nb::object array_of(std::vector<T> values) {
  auto* const held = new std::vector<T>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  nb::object array =
      nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(held->data(), {held->size()}, owner));
  // Of the two C types of 64 bits, NumPy's own whole numbers are of one, nanobind's of the other,
  // and a type that is not NumPy's own is shown wherever an array is.
  if constexpr (std::is_same_v<T, Index>) array = array.attr("view")("int64");
  return array;
}

template <class T>
nb::object array_of(DenseTable<T> table) {
  auto* const held = new DenseTable<T>(std::move(table));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<DenseTable<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(
      held->values.data(),
      {static_cast<std::size_t>(held->rows), static_cast<std::size_t>(held->cols)}, owner));
}

/// What is known of a table, in arrays.
struct Given {
  std::vector<std::string> feature_names;
  std::vector<std::string> sample_ids;
  std::optional<Column<Index>> labels;
  std::optional<Column<double>> values;  ///< a numeric target
  Pairs must_link;
  Pairs cannot_link;
  Column<double> must_link_weights;
  Column<double> cannot_link_weights;
};

Knowledge knowledge_of(const Given& given);
Problem problem_of(const Table& table, const Given& given);

/// With this seed, and an end to the work if an interrupt is pending.
/// @param told of progress, as (stage, done, total); None: nobody. The run must end before it.
Run interruptible_run(std::uint64_t seed, const nb::object& told = nb::none());

/// All of weight 1; or as given, one for each.
std::vector<RowPair> pairs_of(const Pairs& pairs);
std::vector<RowPair> pairs_of(const Pairs& pairs, const Column<double>& weights);

nb::dict dict_of(const OptionInfo& option);
/// Tables come as plain lists of values, row by row.
nb::object dict_of(const ClusteringRun& run, Index cols);

/// A sink that ends the work if an interrupt is pending. Python hears signals in its main thread
/// only, so threads that help with the work do not ask; they end with it.
Progress interruptible(nb::handle told = nb::none());

/// Calls work() without the interpreter's lock, on at most `threads` threads.
template <class Work>
auto computed(int threads, Work&& work) {
  try {
    const nb::gil_scoped_release unlocked;
    const ThreadLimit limit(threads);
    return work();
  } catch (const Interrupted&) {
    // As PyErr_CheckSignals set it, unless a function of the user's own was interrupted.
    if (PyErr_Occurred() == nullptr) PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
}

/// The clusterings of the k-means family, and the nearest of given centres.
void bind_clustering(nb::module_& module);
void bind_evaluation(nb::module_& module);
void bind_projection(nb::module_& module);
void bind_report(nb::module_& module);
/// Tables of which a run of rows is in memory at a time.
void bind_streaming(nb::module_& module);

}  // namespace tamis::python
