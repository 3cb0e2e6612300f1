#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "io/atomic_file.hpp"
#include "io/columns.hpp"
#include "io/npy_header.hpp"
#include "io/table_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kSlabBytes = std::size_t{1} << 20;
constexpr std::size_t kHeaderAlignment = 64;

void read_exactly(ByteSource& source, char* out, std::size_t size) {
  if (source.read(out, size) != size)
    throw DataError(fmt::format("{}: became shorter while it was read", source.name()));
}

/// Reads the items slab by slab, as they lie in the file: item number k goes to put(k, value).
template <class Item, class Put>
void read_items(ByteSource& source, const NpyHeader& header, Put&& put) {
  const Index total = header.rows * header.cols;
  std::vector<char> slab(kSlabBytes);
  constexpr auto kItemsPerSlab = static_cast<Index>(kSlabBytes / sizeof(Item));
  for (Index first = 0; first < total; first += kItemsPerSlab) {
    const Index count = std::min(kItemsPerSlab, total - first);
    const std::size_t size = static_cast<std::size_t>(count) * sizeof(Item);
    read_exactly(source, slab.data(), size);
    if (header.swaps_bytes) swap_items(slab.data(), size, sizeof(Item));
    for (Index k = 0; k < count; ++k) {
      Item item;
      std::memcpy(&item, slab.data() + static_cast<std::size_t>(k) * sizeof(Item), sizeof(Item));
      put(first + k, item);
    }
  }
}

template <class T, class Item>
void read_as(ByteSource& source, const NpyHeader& header, DenseTable<T>& table) {
  if (std::is_same_v<T, Item> && !header.is_fortran) {
    char* const out = reinterpret_cast<char*>(table.values.data());
    const std::size_t size = table.values.size() * sizeof(T);
    read_exactly(source, out, size);
    if (header.swaps_bytes) swap_items(out, size, sizeof(T));
    return;
  }
  T* const values = table.values.data();
  if (header.is_fortran)
    read_items<Item>(source, header, [&](Index k, Item item) {
      values[k % header.rows * header.cols + k / header.rows] = static_cast<T>(item);
    });
  else
    read_items<Item>(source, header, [&](Index k, Item item) { values[k] = static_cast<T>(item); });
}

template <class T>
DenseTable<T> read_values(ByteSource& source, const NpyHeader& header) {
  DenseTable<T> table{.rows = header.rows, .cols = header.cols, .values = {}};
  table.values.resize(static_cast<std::size_t>(header.rows * header.cols));
  const auto read = [&]<class Item>(Item) { read_as<T, Item>(source, header, table); };
  visit_item_type(header, read);
  return table;
}

/// An NPY file in C order whose rows come one after another.
class NpyWriter {
 public:
  NpyWriter(const std::string& path, Index rows, Index cols, bool is_single) : file_(path) {
    const char order = std::endian::native == std::endian::little ? '<' : '>';
    std::string dictionary =
        fmt::format("{{'descr': '{}f{}', 'fortran_order': False, 'shape': ({}, {}), }}", order,
                    is_single ? 4 : 8, rows, cols);
    const std::size_t before = kNpyMagic.size() + 4;
    const std::size_t size = before + dictionary.size() + 1;
    dictionary.append((kHeaderAlignment - size % kHeaderAlignment) % kHeaderAlignment, ' ');
    dictionary += '\n';
    const std::string version_and_length = {1, 0, static_cast<char>(dictionary.size() % 256),
                                            static_cast<char>(dictionary.size() / 256)};
    file_.write(std::string(kNpyMagic) + version_and_length + dictionary);
  }

  /// The given columns of further rows.
  void write(const MatrixView& block, std::span<const Index> columns) {
    block.visit([&](const auto& data) {
      auto rows = gather_rows(data, columns);
      for (Index i = 0; i < data.rows(); ++i) {
        const auto row = rows.row(i);
        file_.write({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
      }
    });
  }

  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
};

}  // namespace

bool looks_like_npy(ByteSource& source) { return source.starts_with(kNpyMagic); }

std::vector<std::string> read_npy_vector(ByteSource& source) {
  const NpyHeader header = read_npy_header(source, NpyVectors::taken);
  check_npy_length(source, header);
  if (header.cols != 1)
    throw DataError(fmt::format("{}: the NPY array has {} columns, and one is expected",
                                source.name(), header.cols));
  std::vector<std::string> texts;
  for (const double value : read_values<double>(source, header).values)
    texts.push_back(fmt::format("{}", value));
  return texts;
}

Table read_npy(ByteSource& source, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(source);
  check_npy_length(source, header);
  Table table;
  if (options.precision == Precision::single || header.is_single())
    table.data = read_values<float>(source, header);
  else
    table.data = read_values<double>(source, header);
  table.feature_names = numbered_names(header.cols);
  apply_options(source.name(), table, options);
  return table;
}

void write_npy(const std::string& path, const Table& table, std::span<const Index> columns) {
  NpyWriter writer(path, table.rows(), std::ssize(columns), table.view().is_single());
  writer.write(table.view(), columns);
  writer.commit();
}

void write_npy_stream(const std::string& path, TableStream& stream, std::span<const Index> columns,
                      Index rows_at_once) {
  RowSource& source = *stream.rows;
  NpyWriter writer(path, source.rows(), std::ssize(columns), source.is_single());
  OwnedTable block;
  for (Index first = 0; first < source.rows(); first += rows_at_once) {
    source.read(first, std::min(rows_at_once, source.rows() - first), block);
    writer.write(view_of(block), columns);
  }
  writer.commit();
}

}  // namespace tamis
