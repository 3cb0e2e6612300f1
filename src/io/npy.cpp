#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/utf8.hpp"
#include "io/atomic_file.hpp"
#include "io/columns.hpp"
#include "io/table_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kSlabBytes = std::size_t{1} << 20;

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

/// A whole number that T cannot hold becomes the nearest one that it can.
template <class T, class Item>
T converted(Item item) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T> && std::is_integral_v<Item>)
    if (!std::in_range<T>(item)) return item < 0 ? Limits::min() : Limits::max();
  return static_cast<T>(item);
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

/// The text of an item of the kind U: characters of four bytes, zeros behind the last.
std::string text_of_characters(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t)) {
    std::uint32_t code = 0;
    std::memcpy(&code, bytes.data() + at, sizeof code);
    append_utf8(text, code);
  }
  return text;
}

std::vector<std::string> read_texts(ByteSource& source, const NpyHeader& header) {
  std::vector<std::string> texts;
  std::string item(static_cast<std::size_t>(header.item_size), '\0');
  for (Index k = 0; k < header.rows * header.cols; ++k) {
    read_exactly(source, item.data(), item.size());
    if (header.kind == 'U' && header.swaps_bytes)
      swap_items(item.data(), item.size(), sizeof(std::uint32_t));
    std::string text = header.kind == 'U' ? text_of_characters(item) : item;
    text.erase(text.find_last_not_of('\0') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

/// An NPY file in C order whose rows come one after another.
class NpyWriter {
 public:
  NpyWriter(const std::string& path, Index rows, Index cols, bool is_single) : file_(path) {
    file_.write(npy_header_text(is_single ? "f4" : "f8", fmt::format("({}, {})", rows, cols)));
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

OwnedTable read_npy_table(ByteSource& source, const NpyHeader& header, Precision precision) {
  if (precision == Precision::single || header.is_single())
    return read_values<float>(source, header);
  return read_values<double>(source, header);
}

template <class T>
std::vector<T> read_npy_numbers(ByteSource& source, const NpyHeader& header) {
  std::vector<T> numbers(static_cast<std::size_t>(header.rows * header.cols));
  visit_item_type(header, [&]<class Item>(Item) {
    read_items<Item>(source, header, [&](Index k, Item item) { numbers[k] = converted<T>(item); });
  });
  return numbers;
}
template std::vector<float> read_npy_numbers(ByteSource&, const NpyHeader&);
template std::vector<double> read_npy_numbers(ByteSource&, const NpyHeader&);
template std::vector<Index> read_npy_numbers(ByteSource&, const NpyHeader&);
template std::vector<ColumnIndex> read_npy_numbers(ByteSource&, const NpyHeader&);

std::vector<std::string> read_npy_texts(ByteSource& source, const NpyHeader& header) {
  if (header.is_text()) return read_texts(source, header);
  std::vector<std::string> texts;
  for (const double value : read_npy_numbers<double>(source, header))
    texts.push_back(fmt::format("{}", value));
  return texts;
}

std::vector<std::string> read_npy_vector(ByteSource& source) {
  const NpyHeader header = read_npy_header(source);
  if (header.kind == 'O') refuse_objects(source.name());
  if (!header.is_number() && !header.is_text())
    throw DataError(
        fmt::format("{}: NPY type {} is neither numbers nor texts", source.name(), header.type));
  if (header.dimensions > 2 || header.cols != 1)
    throw DataError(fmt::format("{}: the NPY array has shape {}, and one column is expected",
                                source.name(), header.shape));
  check_npy_length(source, header);
  return read_npy_texts(source, header);
}

Table read_npy(ByteSource& source, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(source);
  check_is_table(source.name(), header);
  check_npy_length(source, header);
  Table table;
  table.data = read_npy_table(source, header, options.precision);
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
