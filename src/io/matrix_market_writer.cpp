#include <fmt/format.h>

#include "io/matrix_market.hpp"
#include "io/table_rows.hpp"
#include "io/text_sink.hpp"

namespace tamis {
namespace {

/// Calls put(row, column, value) for the entries of the given columns that are not zero.
template <class T, class Put>
void each_entry(CsrView<T> view, std::span<const Index> columns, const Put& put) {
  auto rows = gather_rows(view, columns);
  for (Index i = 0; i < view.rows(); ++i) {
    const auto row = rows.row(i);
    for (Index r = 0; r < std::ssize(row); ++r)
      if (row[r] != 0) put(i, r, row[r]);
  }
}

template <class T>
void append(TextSink& sink, CsrView<T> view, std::span<const Index> columns) {
  Index entries = 0;
  each_entry(view, columns, [&](Index, Index, T) { ++entries; });
  sink.append("%%MatrixMarket matrix coordinate real general\n");
  sink.append(fmt::format("{} {} {}\n", view.rows(), columns.size(), entries));
  each_entry(view, columns, [&](Index row, Index column, T value) {
    sink.append(fmt::format("{} {} ", row + 1, column + 1));
    sink.append_number(value);
    sink.append("\n");
  });
}

template <class T>
void append(TextSink& sink, DenseView<T> view, std::span<const Index> columns) {
  sink.append("%%MatrixMarket matrix array real general\n");
  sink.append(fmt::format("{} {}\n", view.rows(), columns.size()));
  for (const Index column : columns)
    for (Index i = 0; i < view.rows(); ++i) {
      sink.append_number(view(i, column));
      sink.append("\n");
    }
}

}  // namespace

void write_matrix_market(const std::string& path, const Table& table,
                         std::span<const Index> columns) {
  TextSink sink(path);
  table.view().visit([&](const auto& view) { append(sink, view, columns); });
  sink.commit();
}

}  // namespace tamis
