#include "linalg/sparse_products.hpp"

#include <type_traits>

#include "tamis/core/parallel.hpp"
#include "tamis/core/table.hpp"

namespace tamis {
namespace {

constexpr Index kGrain = 16;

template <class T>
std::vector<Index> column_counts(const CsrView<T>& x) {
  std::vector<Index> counts(x.cols(), 0);
  for (Index i = 0; i < x.rows(); ++i)
    for (const Index r : x.row_columns(i)) ++counts[r];
  return counts;
}

template <class T>
CsrTable<T> transposed(const CsrView<T>& x) {
  CsrTable<T> columns{.cols = x.rows()};
  for (const Index count : column_counts(x))
    columns.offsets.push_back(columns.offsets.back() + count);
  columns.columns.resize(x.non_zeros());
  columns.values.resize(x.non_zeros());
  std::vector<Index> next = columns.offsets;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index e = 0; e < std::ssize(x.row_columns(i)); ++e) {
      const Index place = next[x.row_columns(i)[e]]++;
      columns.columns[place] = static_cast<ColumnIndex>(i);
      columns.values[place] = x.row_values(i)[e];
    }
  return columns;
}

/// Row s of the result gathers what its entries meet in the rows of the transposed table.
template <class T>
Buffer<double> row_products(const CsrView<T>& x, const CsrView<T>& of_columns) {
  const Index side = x.rows();
  Buffer<double> products(side * side, 0.0);
  parallel_for(side, kGrain, [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s)
      for (Index e = 0; e < std::ssize(x.row_columns(s)); ++e) {
        const auto value = static_cast<double>(x.row_values(s)[e]);
        const auto others = of_columns.row_columns(x.row_columns(s)[e]);
        const auto values = of_columns.row_values(x.row_columns(s)[e]);
        for (Index o = 0; o < std::ssize(others) && others[o] <= s; ++o)
          products[s * side + others[o]] += value * static_cast<double>(values[o]);
      }
  });
  return products;
}

/// What f makes of a sparse table.
template <class F>
auto of_sparse(const MatrixView& x, const F& f) {
  using Result = decltype(f(std::declval<const CsrView<double>&>()));
  return x.visit([&](const auto& view) -> Result {
    if constexpr (requires { view.non_zeros(); })
      return f(view);
    else
      return Result{};
  });
}

}  // namespace

double sparse_product_count(const MatrixView& x, Side side) {
  return of_sparse(x, [&](const auto& view) {
    double count = 0.0;
    const auto add = [&](Index entries) {
      count += 0.5 * static_cast<double>(entries) * static_cast<double>(entries + 1);
    };
    if (side == Side::rows)
      for (const Index entries : column_counts(view)) add(entries);
    else
      for (Index i = 0; i < view.rows(); ++i) add(std::ssize(view.row_columns(i)));
    return count;
  });
}

Buffer<double> sparse_products(const MatrixView& x, Side side) {
  return of_sparse(x, [&](const auto& view) {
    const auto of_columns = transposed(view);
    return side == Side::rows ? row_products(view, of_columns.view())
                              : row_products(of_columns.view(), view);
  });
}

}  // namespace tamis
