#include "core/listed_columns.hpp"

#include <algorithm>

namespace tamis {
namespace {

template <class T>
void copy_row(const DenseView<T>& x, Index i, std::span<const Index> columns, double* out) {
  for (std::size_t c = 0; c < columns.size(); ++c) out[c] = static_cast<double>(x(i, columns[c]));
}

template <class T>
void copy_row(const CsrView<T>& x, Index i, std::span<const Index> columns, double* out) {
  const std::span<const ColumnIndex> stored = x.row_columns(i);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto place = std::ranges::lower_bound(stored, columns[c]);
    const bool is_stored = place != stored.end() && *place == columns[c];
    out[c] = is_stored ? static_cast<double>(x.row_values(i)[place - stored.begin()]) : 0.0;
  }
}

}  // namespace

void copy_listed_columns(const MatrixView& x, std::span<const Index> rows,
                         std::span<const Index> columns, double* out) {
  x.visit([&](const auto& view) {
    for (const Index i : rows) {
      copy_row(view, i, columns, out);
      out += columns.size();
    }
  });
}

}  // namespace tamis
