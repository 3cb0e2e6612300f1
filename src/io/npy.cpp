#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "io/atomic_file.hpp"
#include "io/columns.hpp"
#include "io/table_rows.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kSlabBytes = std::size_t{1} << 20;
constexpr std::size_t kHeaderAlignment = 64;
static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);

struct Header {
  char kind = 'f';  ///< f, i, u or b, as NumPy calls them
  Index item_size = 8;
  bool swaps_bytes = false;
  bool is_fortran = false;
  Index rows = 0;
  Index cols = 0;
};

/// The text of the header's dictionary, without what comes before it.
std::string read_dictionary(ByteSource& source) {
  const auto refuse = [&]() -> DataError {
    return DataError(fmt::format("{}: the NPY header is cut off or damaged", source.name()));
  };
  unsigned char start[12];
  if (source.read(reinterpret_cast<char*>(start), 10) != 10) throw refuse();
  const int version = start[6];
  std::size_t length = start[8] + 256u * start[9];
  if (version < 1 || version > 3)
    throw DataError(fmt::format("{}: NPY version {} is not known", source.name(), version));
  if (version > 1) {
    if (source.read(reinterpret_cast<char*>(start) + 10, 2) != 2) throw refuse();
    length += (std::size_t{start[10]} << 16) + (std::size_t{start[11]} << 24);
  }
  const std::string_view text = source.peek(length);
  if (text.size() != length || text.empty()) throw refuse();
  std::string dictionary(text);
  source.read(dictionary.data(), length);
  return dictionary;
}

/// What follows 'key': in the dictionary, up to the closing mark (inclusive) of its value.
std::string_view value_of(const std::string& file, std::string_view dictionary,
                          std::string_view key) {
  const std::size_t found = dictionary.find(fmt::format("'{}'", key));
  const std::size_t colon = dictionary.find(':', std::min(found, dictionary.size()));
  const std::size_t start =
      dictionary.find_first_not_of(' ', std::min(colon, dictionary.size() - 1) + 1);
  if (found == std::string_view::npos || colon == std::string_view::npos ||
      start == std::string_view::npos)
    throw DataError(fmt::format("{}: the NPY header has no '{}'", file, key));
  std::string_view value = dictionary.substr(start);
  const char close = value.front() == '(' ? ')' : value.front() == '\'' ? '\'' : ',';
  const std::size_t end = value.find(close, 1);
  return value.substr(0, end == std::string_view::npos ? end : end + 1);
}

void parse_type(const std::string& file, std::string_view text, Header& header) {
  const auto refuse = [&] {
    return DataError(fmt::format(
        "{}: NPY type {} is not a table of numbers; float32, float64, integers and booleans are",
        file, text));
  };
  if (text.size() != 5 || text.front() != '\'' || text.back() != '\'') throw refuse();
  const char order = text[1];
  header.kind = text[2];
  header.item_size = text[3] - '0';
  constexpr bool kNativeIsLittle = std::endian::native == std::endian::little;
  header.swaps_bytes = order == (kNativeIsLittle ? '>' : '<');
  if (std::string_view("<>=|").find(order) == std::string_view::npos) throw refuse();
  const std::string_view sizes = header.kind == 'f'                         ? "48"
                                 : header.kind == 'i' || header.kind == 'u' ? "1248"
                                 : header.kind == 'b'                       ? "1"
                                                                            : "";
  if (sizes.find(text[3]) == std::string_view::npos) throw refuse();
}

std::vector<Index> parse_shape(std::string_view text) {
  std::vector<Index> shape;
  for (std::size_t at = 0; (at = text.find_first_of("0123456789", at)) < text.size();) {
    Index length = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data() + at, end, length);
    shape.push_back(code == std::errc{} ? length : -1);
    at = static_cast<std::size_t>(stop - text.data());
  }
  return shape;
}

enum class Vectors { refused, taken };

/// @param vectors whether an array of one dimension is a column
Header parse_header(const std::string& file, const std::string& dictionary, Vectors vectors) {
  Header header;
  parse_type(file, value_of(file, dictionary, "descr"), header);
  header.is_fortran = value_of(file, dictionary, "fortran_order").starts_with("True");
  const std::string_view text = value_of(file, dictionary, "shape");
  std::vector<Index> shape = parse_shape(text);
  if (shape.size() == 1 && vectors == Vectors::taken) shape.push_back(1);
  if (shape.size() != 2)
    throw DataError(
        fmt::format("{}: the NPY array has shape {}; a table needs two dimensions", file, text));
  if (text.find('-') != std::string_view::npos)
    throw DataError(fmt::format("{}: the NPY array has the impossible shape {}", file, text));
  header.rows = shape[0];
  header.cols = shape[1];
  if (header.rows == 0 || header.cols == 0)
    throw DataError(fmt::format("{}: the NPY array of shape {} is empty", file, text));
  // Fewer than 2^60 bytes: no product below can overflow.
  if (header.rows < 0 || header.cols < 0 || header.rows > (Index{1} << 57) / header.cols)
    throw DataError(fmt::format("{}: the NPY array of shape {} is too large", file, text));
  return header;
}

void check_length(ByteSource& source, const Header& header) {
  if (!source.remaining()) source.rest();
  const auto expected = static_cast<std::size_t>(header.rows * header.cols * header.item_size);
  const std::size_t found = source.remaining().value_or(0);
  if (found < expected)
    throw DataError(fmt::format(
        "{}: is cut off: {} bytes of data found, {} expected ({} rows x {} columns x {} bytes)",
        source.name(), found, expected, header.rows, header.cols, header.item_size));
}

void swap_items(char* bytes, std::size_t size, std::size_t item_size) {
  for (std::size_t at = 0; at + item_size <= size; at += item_size)
    std::reverse(bytes + at, bytes + at + item_size);
}

void read_exactly(ByteSource& source, char* out, std::size_t size) {
  if (source.read(out, size) != size)
    throw DataError(fmt::format("{}: became shorter while it was read", source.name()));
}

/// Reads the items slab by slab, as they lie in the file: item number k goes to put(k, value).
template <class Item, class Put>
void read_items(ByteSource& source, const Header& header, Put&& put) {
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
void read_as(ByteSource& source, const Header& header, DenseTable<T>& table) {
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
DenseTable<T> read_values(ByteSource& source, const Header& header) {
  DenseTable<T> table{.rows = header.rows, .cols = header.cols, .values = {}};
  table.values.resize(static_cast<std::size_t>(header.rows * header.cols));
  const auto read = [&]<class Item>(Item) { read_as<T, Item>(source, header, table); };
  const bool is_signed = header.kind == 'i';
  if (header.kind == 'f')
    header.item_size == 4 ? read(float{}) : read(double{});
  else if (header.item_size == 1)
    is_signed ? read(std::int8_t{}) : read(std::uint8_t{});
  else if (header.item_size == 2)
    is_signed ? read(std::int16_t{}) : read(std::uint16_t{});
  else if (header.item_size == 4)
    is_signed ? read(std::int32_t{}) : read(std::uint32_t{});
  else
    is_signed ? read(std::int64_t{}) : read(std::uint64_t{});
  return table;
}

}  // namespace

bool looks_like_npy(ByteSource& source) { return source.starts_with(kNpyMagic); }

std::vector<std::string> read_npy_vector(ByteSource& source) {
  const Header header = parse_header(source.name(), read_dictionary(source), Vectors::taken);
  check_length(source, header);
  if (header.cols != 1)
    throw DataError(fmt::format("{}: the NPY array has {} columns, and one is expected",
                                source.name(), header.cols));
  std::vector<std::string> texts;
  for (const double value : read_values<double>(source, header).values)
    texts.push_back(fmt::format("{}", value));
  return texts;
}

Table read_npy(ByteSource& source, const ReadOptions& options) {
  const Header header = parse_header(source.name(), read_dictionary(source), Vectors::refused);
  check_length(source, header);
  Table table;
  if (options.precision == Precision::single || (header.kind == 'f' && header.item_size == 4))
    table.data = read_values<float>(source, header);
  else
    table.data = read_values<double>(source, header);
  table.feature_names = numbered_names(header.cols);
  apply_options(source.name(), table, options);
  return table;
}

void write_npy(const std::string& path, const Table& table, std::span<const Index> columns) {
  AtomicFile file(path);
  const MatrixView view = table.view();
  const char order = std::endian::native == std::endian::little ? '<' : '>';
  std::string dictionary =
      fmt::format("{{'descr': '{}f{}', 'fortran_order': False, 'shape': ({}, {}), }}", order,
                  view.is_single() ? 4 : 8, view.rows(), columns.size());
  const std::size_t before = kNpyMagic.size() + 4;
  const std::size_t size = before + dictionary.size() + 1;
  dictionary.append((kHeaderAlignment - size % kHeaderAlignment) % kHeaderAlignment, ' ');
  dictionary += '\n';
  const std::string version_and_length = {1, 0, static_cast<char>(dictionary.size() % 256),
                                          static_cast<char>(dictionary.size() / 256)};
  file.write(std::string(kNpyMagic) + version_and_length + dictionary);
  view.visit([&](const auto& data) {
    auto rows = gather_rows(data, columns);
    for (Index i = 0; i < data.rows(); ++i) {
      const auto row = rows.row(i);
      file.write({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
    }
  });
  file.commit();
}

}  // namespace tamis
