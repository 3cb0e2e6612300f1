#include "tamis/core/table.hpp"

#include "core/large_pages.hpp"
#include "core/simd.hpp"

namespace tamis {
namespace {

/// Fetches a few values of a row into the second cache, which waits for more of them at a time than
/// the first one: each lies in a line of its own.
template <class T>
void fetch(const T* row, std::span<const Index> columns) {
  constexpr int kForReading = 0;
  constexpr int kSecondCache = 2;
  for (const Index column : columns) __builtin_prefetch(row + column, kForReading, kSecondCache);
}

template <class T>
OwnedTable gather(const DenseView<T>& x, std::span<const Index> rows,
                  std::span<const Index> columns) {
  constexpr std::size_t kRowsAhead = 2;
  const Index cols = std::ssize(columns);
  const bool are_few = cols * kLanes<T> <= x.cols();
  DenseTable<T> table{.rows = std::ssize(rows), .cols = cols};
  table.values.resize(rows.size() * columns.size());
  T* to = table.values.data();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (are_few && i + kRowsAhead < rows.size()) fetch(x.row(rows[i + kRowsAhead]), columns);
    const T* const from = x.row(rows[i]);
    for (Index c = 0; c < cols; ++c) *to++ = from[columns[c]];
  }
  return table;
}

template <class T>
OwnedTable gather(const CsrView<T>& x, std::span<const Index> rows,
                  std::span<const Index> columns) {
  std::vector<ColumnIndex> place(x.cols(), -1);
  for (std::size_t c = 0; c < columns.size(); ++c) place[columns[c]] = static_cast<ColumnIndex>(c);
  CsrTable<T> table{.cols = std::ssize(columns)};
  for (const Index row : rows) {
    const std::span<const ColumnIndex> stored = x.row_columns(row);
    for (Index e = 0; e < std::ssize(stored); ++e) {
      if (place[stored[e]] < 0) continue;
      table.columns.push_back(place[stored[e]]);
      table.values.push_back(x.row_values(row)[e]);
    }
    table.offsets.push_back(std::ssize(table.columns));
  }
  return table;
}

template <class T>
void append(DenseTable<T>& table, const DenseView<T>& x, Index row) {
  table.values.insert(table.values.end(), x.row(row), x.row(row) + x.cols());
  ++table.rows;
  table.values.resize(table.rows * table.stride());
}

template <class T>
void append(CsrTable<T>& table, const CsrView<T>& x, Index row) {
  const auto columns = x.row_columns(row);
  const auto values = x.row_values(row);
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  table.values.insert(table.values.end(), values.begin(), values.end());
  table.offsets.push_back(std::ssize(table.columns));
}

template <class T>
void forget(DenseTable<T>& table, Index begin, Index end) {
  give_back(table.values.data() + begin * table.stride(),
            static_cast<std::size_t>((end - begin) * table.stride()) * sizeof(T));
}

template <class T>
void forget(CsrTable<T>&, Index, Index) {}  // it would not be much at a time

template <class T>
DenseTable<T> nothing_like(const DenseView<T>& x) {
  return {.rows = 0, .cols = x.cols()};
}

template <class T>
CsrTable<T> nothing_like(const CsrView<T>& x) {
  return {.cols = x.cols()};
}

}  // namespace

MatrixView view_of(const OwnedTable& table) {
  return std::visit([](const auto& owned) { return MatrixView(owned.view()); }, table);
}

OwnedTable gathered(const MatrixView& x, std::span<const Index> rows,
                    std::span<const Index> columns) {
  return x.visit([&](const auto& view) { return gather(view, rows, columns); });
}

void append_rows(OwnedTable& table, const MatrixView& x, std::span<const Index> rows) {
  x.visit([&]<class View>(const View& view) {
    auto& same = std::get<decltype(nothing_like(view))>(table);
    for (const Index row : rows) append(same, view, row);
  });
}

void forget_rows(OwnedTable& table, Index begin, Index end) {
  std::visit([&](auto& owned) { forget(owned, begin, end); }, table);
}

OwnedTable empty_like(const MatrixView& x) {
  return x.visit([](const auto& view) { return OwnedTable(nothing_like(view)); });
}

}  // namespace tamis
