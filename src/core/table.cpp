#include "tamis/core/table.hpp"

namespace tamis {
namespace {

template <class T>
OwnedTable gather(const DenseView<T>& x, std::span<const Index> rows,
                  std::span<const Index> columns) {
  const Index cols = std::ssize(columns);
  DenseTable<T> table{.rows = std::ssize(rows), .cols = cols};
  table.values.resize(rows.size() * columns.size());
  T* to = table.values.data();
  for (const Index row : rows) {
    const T* const from = x.row(row);
    for (Index c = 0; c < cols; ++c) *to++ = from[columns[c]];
  }
  return table;
}

template <class T>
OwnedTable gather(const CsrView<T>& x, std::span<const Index> rows,
                  std::span<const Index> columns) {
  std::vector<Index> place(x.cols(), -1);
  for (Index c = 0; c < std::ssize(columns); ++c) place[columns[c]] = c;
  CsrTable<T> table{.cols = std::ssize(columns)};
  for (const Index row : rows) {
    const std::span<const Index> stored = x.row_columns(row);
    for (Index e = 0; e < std::ssize(stored); ++e) {
      if (place[stored[e]] < 0) continue;
      table.columns.push_back(place[stored[e]]);
      table.values.push_back(x.row_values(row)[e]);
    }
    table.offsets.push_back(std::ssize(table.columns));
  }
  return table;
}

}  // namespace

MatrixView view_of(const OwnedTable& table) {
  return std::visit([](const auto& owned) { return MatrixView(owned.view()); }, table);
}

OwnedTable gathered(const MatrixView& x, std::span<const Index> rows,
                    std::span<const Index> columns) {
  return x.visit([&](const auto& view) { return gather(view, rows, columns); });
}

}  // namespace tamis
