#include "io/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <vector>

#include "tamis/core/error.hpp"

namespace tamis {
namespace {

static_assert(std::endian::native == std::endian::little ||
              std::endian::native == std::endian::big);

constexpr Index kMostBytes = Index{1} << 60;
constexpr Index kLongestText = Index{1} << 24;  // characters

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

constexpr char kNativeOrder = std::endian::native == std::endian::little ? '<' : '>';

/// How many bytes an item of some kind may take.
bool is_size_of(char kind, Index size) {
  if (kind == 'f') return size == 4 || size == 8;
  if (kind == 'i' || kind == 'u') return size == 1 || size == 2 || size == 4 || size == 8;
  if (kind == 'b') return size == 1;
  return (kind == 'U' || kind == 'S') && size > 0 && size <= kLongestText;
}

/// '<f8': the order of bytes, the kind, and how many bytes, or characters of four bytes, an item
/// has.
void parse_type(std::string_view text, NpyHeader& header) {
  header.type = text;
  header.kind = '?';
  if (text.size() < 4 || text.front() != '\'' || text.back() != '\'') return;
  const char order = text[1];
  const char kind = text[2];
  if (std::string_view("<>=|").find(order) == std::string_view::npos) return;
  if (kind == 'O') header.kind = kind;
  Index size = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [stop, code] = std::from_chars(text.data() + 3, end, size);
  if (code != std::errc{} || stop != end || !is_size_of(kind, size)) return;
  header.kind = kind;
  header.item_size = kind == 'U' ? 4 * size : size;
  header.swaps_bytes = (order == '<' || order == '>') && order != kNativeOrder;
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

NpyHeader parse_header(const std::string& file, const std::string& dictionary) {
  NpyHeader header;
  parse_type(value_of(file, dictionary, "descr"), header);
  header.is_fortran = value_of(file, dictionary, "fortran_order").starts_with("True");
  const std::string_view text = value_of(file, dictionary, "shape");
  header.shape = text;
  const std::vector<Index> shape = parse_shape(text);
  if (text.find('-') != std::string_view::npos)
    throw DataError(fmt::format("{}: the NPY array has the impossible shape {}", file, text));
  header.dimensions = std::ssize(shape);
  header.rows = shape.empty() ? 1 : shape.front();
  header.cols = 1;
  Index items = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    // Less than 2^60 bytes: no product can overflow.
    if (shape[d] < 0 || (shape[d] > 0 && items > kMostBytes / shape[d] / header.item_size))
      throw DataError(fmt::format("{}: the NPY array of shape {} is too large", file, text));
    items *= std::max<Index>(shape[d], 1);
    if (d > 0) header.cols *= shape[d];
  }
  return header;
}

}  // namespace

NpyHeader read_npy_header(ByteSource& source) {
  return parse_header(source.name(), read_dictionary(source));
}

void check_is_table(const std::string& file, const NpyHeader& header) {
  if (!header.is_number())
    throw DataError(fmt::format(
        "{}: NPY type {} is not a table of numbers; float32, float64, integers and booleans are",
        file, header.type));
  if (header.dimensions != 2)
    throw DataError(fmt::format("{}: the NPY array has shape {}; a table needs two dimensions",
                                file, header.shape));
  if (header.rows == 0 || header.cols == 0)
    throw DataError(fmt::format("{}: the NPY array of shape {} is empty", file, header.shape));
}

void refuse_objects(const std::string& name) {
  throw DataError(
      fmt::format("{}: holds Python objects, which only Python can read; save it as texts or "
                  "numbers, in Python "
                  "with .astype(str) or .astype(float)",
                  name));
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

std::string npy_header_text(std::string_view type, std::string_view shape) {
  constexpr std::size_t kAlignment = 64;
  const std::string order = std::isdigit(type[1]) != 0 ? std::string(1, kNativeOrder) : "";
  std::string dictionary =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}", order, type, shape);
  const std::size_t size = kNpyMagic.size() + 4 + dictionary.size() + 1;
  dictionary.append((kAlignment - size % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  const std::string version_and_length = {1, 0, static_cast<char>(dictionary.size() % 256),
                                          static_cast<char>(dictionary.size() / 256)};
  return std::string(kNpyMagic) + version_and_length + dictionary;
}

void swap_items(char* bytes, std::size_t size, std::size_t item_size) {
  for (std::size_t at = 0; at + item_size <= size; at += item_size)
    std::reverse(bytes + at, bytes + at + item_size);
}

}  // namespace tamis
