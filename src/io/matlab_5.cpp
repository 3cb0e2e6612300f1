// MATLAB's "Level 5 MAT-File Format": a header of 128 bytes, then elements of a tag (type, length)
// and data, padded to 8 bytes; a matrix is an element made of elements.
#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <limits>
#include <optional>

#include "io/expansion.hpp"
#include "io/matlab_array.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kHeaderSize = 128;
constexpr std::size_t kTagSize = 8;
constexpr auto kMatrix = static_cast<std::uint32_t>(MatlabType::matrix);
constexpr auto kCompressed = static_cast<std::uint32_t>(MatlabType::compressed);
constexpr std::uint32_t kComplexFlag = 0x0800;
constexpr std::size_t kBytesToName = std::size_t{1} << 14;  // enough for flags, shape and name

struct Element {
  std::uint32_t type = 0;
  std::string_view data = {};
};

/// Cuts elements off a run of bytes.
class Elements {
 public:
  Elements(const std::string& file, std::string_view bytes, bool swaps_bytes)
      : file_(file), bytes_(bytes), swaps_bytes_(swaps_bytes) {}

  bool empty() const { return bytes_.empty(); }
  bool swaps_bytes() const { return swaps_bytes_; }
  const std::string& file() const { return file_; }

  Element next() {
    if (bytes_.size() < kTagSize) refuse();
    const PackedNumbers<std::uint32_t> tag(bytes_, swaps_bytes_);
    const std::uint32_t small_length = tag[0] >> 16;
    if (small_length > 0) {  // type, length and up to 4 bytes of data in one tag
      if (small_length > 4) refuse();
      const Element element{tag[0] & 0xFFFFu, bytes_.substr(4, small_length)};
      bytes_.remove_prefix(kTagSize);
      return element;
    }
    const std::size_t length = tag[1];
    if (length > bytes_.size() - kTagSize) refuse();
    const Element element{tag[0], bytes_.substr(kTagSize, length)};
    const std::size_t padding = element.type == kCompressed ? 0 : (8 - length % 8) % 8;
    bytes_.remove_prefix(std::min(bytes_.size(), kTagSize + length + padding));
    return element;
  }

  [[noreturn]] void refuse() const {
    throw DataError(fmt::format("{}: the MATLAB file is cut off or damaged", file_));
  }

 private:
  const std::string& file_;
  std::string_view bytes_;
  bool swaps_bytes_;
};

/// Inflates up to `limit` bytes. If the stream ends before, zlib compares its checksum.
std::string inflate_bytes(const Elements& context, std::string_view compressed, std::size_t limit) {
  constexpr std::size_t kStep = std::size_t{1} << 16;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, &inflateEnd);
  std::string inflated;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  int code = Z_OK;
  while (code == Z_OK && inflated.size() < limit) {
    const std::size_t used = inflated.size();
    inflated.resize(std::min(limit, std::max(used + kStep, 2 * used)));
    stream.next_out = reinterpret_cast<Bytef*>(inflated.data() + used);
    stream.avail_out = static_cast<uInt>(
        std::min<std::size_t>(inflated.size() - used, std::numeric_limits<uInt>::max()));
    const uInt room = stream.avail_out;
    code = inflate(&stream, Z_NO_FLUSH);
    inflated.resize(used + (room - stream.avail_out));
  }
  const bool is_cut_on_purpose = code == Z_OK && inflated.size() >= limit;
  if (code != Z_STREAM_END && !is_cut_on_purpose) context.refuse();
  return inflated;
}

MatlabType number_type(const Elements& context, const Element& element) {
  const auto type = static_cast<MatlabType>(element.type);
  bool is_known = false;
  visit_numbers(type, element.data, context.swaps_bytes(), [&](const auto&) { is_known = true; });
  if (!is_known) context.refuse();
  return type;
}

std::vector<Index> read_indices(const Elements& context, const Element& element) {
  std::vector<Index> indices;
  visit_numbers(number_type(context, element), element.data, context.swaps_bytes(),
                [&](const auto& numbers) {
                  if (std::is_floating_point_v<std::decay_t<decltype(numbers[0])>>)
                    context.refuse();
                  for (Index i = 0; i < numbers.size(); ++i)
                    indices.push_back(static_cast<Index>(numbers[i]));
                });
  return indices;
}

std::vector<Index> read_shape(const Elements& context, const Element& element) {
  if (element.type != static_cast<std::uint32_t>(MatlabType::int32)) context.refuse();
  std::vector<Index> shape = read_indices(context, element);
  if (shape.size() < 2 || !is_possible(shape)) context.refuse();
  return shape;
}

/// What every matrix starts with. The shape is left empty for classes that have another layout.
MatlabArray read_description(Elements& parts) {
  MatlabArray array;
  array.swaps_bytes = parts.swaps_bytes();
  const Element flags = parts.next();
  if (flags.data.size() < 4) parts.refuse();
  const std::uint32_t word = PackedNumbers<std::uint32_t>(flags.data, parts.swaps_bytes())[0];
  array.kind = static_cast<MatlabClass>(word & 0xFFu);
  array.is_complex = (word & kComplexFlag) != 0;
  if (array.kind >= MatlabClass::opaque) return array;
  array.shape = read_shape(parts, parts.next());
  array.name = parts.next().data;
  return array;
}

void read_content(Elements& parts, MatlabArray& array, int depth);

void read_cells(Elements& parts, MatlabArray& array, int depth) {
  if (depth > kDeepestCell) parts.refuse();
  for (Index i = 0; i < array.size(); ++i) {
    const Element element = parts.next();
    if (element.type != kMatrix) parts.refuse();
    MatlabArray cell;
    if (!element.data.empty()) {
      Elements inside(parts.file(), element.data, parts.swaps_bytes());
      cell = read_description(inside);
      read_content(inside, cell, depth + 1);
    }
    array.cells.push_back(std::move(cell));
  }
}

void read_content(Elements& parts, MatlabArray& array, int depth) {
  if (array.kind == MatlabClass::cell) return read_cells(parts, array, depth);
  const bool is_sparse = array.kind == MatlabClass::sparse;
  if (!is_sparse && !array.is_number() && array.kind != MatlabClass::text) return;
  if (array.size() == 0) return;
  if (is_sparse) {
    array.row_indices = read_indices(parts, parts.next());
    array.column_starts = read_indices(parts, parts.next());
  }
  const Element values = parts.next();
  array.type = number_type(parts, values);
  array.data = values.data;
}

bool swaps_bytes(const std::string& file, std::string_view bytes) {
  const std::string_view mark = bytes.size() < kHeaderSize ? "" : bytes.substr(126, 2);
  if (mark != "IM" && mark != "MI")
    throw DataError(fmt::format("{}: the header of the MATLAB file is cut off or damaged", file));
  return (mark == "IM") != (std::endian::native == std::endian::little);
}

}  // namespace

MatlabFile read_matlab_5(const std::string& file, std::string_view bytes,
                         std::span<const std::string> wanted, bool is_trusted) {
  std::size_t budget = largest_content(bytes.size(), is_trusted);
  const bool swaps = swaps_bytes(file, bytes);
  Elements elements(file, bytes.substr(kHeaderSize), swaps);
  MatlabFile result;
  while (!elements.empty()) {
    Element element = elements.next();
    std::shared_ptr<const std::string> inflated;
    const auto parts_of = [&](std::size_t limit) {
      if (element.type != kCompressed) return Elements(file, element.data, swaps);
      inflated = std::make_shared<std::string>(inflate_bytes(elements, element.data, limit));
      // The tag inside gives the full length, of which the start alone may be inflated here.
      const std::string_view inside = *inflated;
      if (inside.size() < kTagSize) elements.refuse();
      return Elements(file, inside.substr(kTagSize), swaps);
    };
    if (element.type != kMatrix && element.type != kCompressed) continue;
    Elements start = parts_of(kBytesToName);
    MatlabArray array = read_description(start);
    if (std::ranges::find(wanted, array.name) != wanted.end()) {
      Elements parts = parts_of(budget);
      if (inflated && inflated->size() >= budget) refuse_expansion(file, bytes.size());
      read_description(parts);
      read_content(parts, array, 0);
      if (inflated) budget -= inflated->size();
      if (inflated) result.owners.push_back(inflated);
    }
    result.variables.push_back(std::move(array));
  }
  return result;
}

}  // namespace tamis
