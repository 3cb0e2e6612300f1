#include "io/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <vector>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);

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

void parse_type(const std::string& file, std::string_view text, NpyHeader& header) {
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

NpyHeader parse_header(const std::string& file, const std::string& dictionary, NpyVectors vectors) {
  NpyHeader header;
  parse_type(file, value_of(file, dictionary, "descr"), header);
  header.is_fortran = value_of(file, dictionary, "fortran_order").starts_with("True");
  const std::string_view text = value_of(file, dictionary, "shape");
  std::vector<Index> shape = parse_shape(text);
  if (shape.size() == 1 && vectors == NpyVectors::taken) shape.push_back(1);
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

}  // namespace

NpyHeader read_npy_header(ByteSource& source, NpyVectors vectors) {
  return parse_header(source.name(), read_dictionary(source), vectors);
}

void check_npy_length(ByteSource& source, const NpyHeader& header) {
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

}  // namespace tamis
