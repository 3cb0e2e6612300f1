// MATLAB's "Level 5 MAT-File Format": a header of 128 bytes, then elements of a tag (type, length)
// and data, padded to 8 bytes; a matrix is an element made of elements.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "io/expansion.hpp"
#include "io/matlab_array.hpp"
#include "io/matlab_bytes.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

constexpr std::size_t kHeaderSize = 128;
constexpr std::size_t kTagSize = 8;
constexpr auto kMatrix = static_cast<std::uint32_t>(MatlabType::matrix);
constexpr auto kCompressed = static_cast<std::uint32_t>(MatlabType::compressed);
constexpr std::uint32_t kComplexFlag = 0x0800;
constexpr std::size_t kMostFieldBytes = std::size_t{1} << 20;  // of names of fields
constexpr std::size_t kBytesToName = std::size_t{1} << 14;     // enough for flags, shape and name

/// The start of an element: what it is, and where its data are, counted from there.
struct Tag {
  std::uint32_t type = 0;
  std::size_t offset = 0;
  std::size_t length = 0;

  std::size_t end() const { return offset + length; }
  std::size_t padded_end() const {
    return type == kCompressed ? end() : (end() + kTagSize - 1) / kTagSize * kTagSize;
  }
};

/// From kTagSize bytes; nothing if they are none.
std::optional<Tag> tag_of(std::string_view bytes, bool swaps_bytes) {
  const PackedNumbers<std::uint32_t> words(bytes, swaps_bytes);
  const std::uint32_t small_length = words[0] >> 16;
  if (small_length > 4) return std::nullopt;
  if (small_length > 0) return Tag{words[0] & 0xFFFFu, 4, small_length};  // data in the tag itself
  return Tag{words[0], kTagSize, words[1]};
}

struct Element {
  std::uint32_t type = 0;
  std::string_view data = {};
};

/// Cuts elements off a run of bytes.
class Elements {
 public:
  Elements(const StoredBytes& file, std::string_view bytes, bool swaps_bytes)
      : file_(file), bytes_(bytes), size_(bytes.size()), swaps_bytes_(swaps_bytes) {}

  bool swaps_bytes() const { return swaps_bytes_; }
  const StoredBytes& file() const { return file_; }
  /// How many bytes were cut off.
  std::size_t position() const { return size_ - bytes_.size(); }

  Element next() {
    if (bytes_.size() < kTagSize) refuse();
    const auto tag = tag_of(bytes_, swaps_bytes_);
    if (!tag || tag->end() > bytes_.size()) refuse();
    const Element element{tag->type, bytes_.substr(tag->offset, tag->length)};
    bytes_.remove_prefix(std::min(bytes_.size(), tag->padded_end()));
    return element;
  }

  [[noreturn]] void refuse() const { file_.refuse(); }

 private:
  const StoredBytes& file_;
  std::string_view bytes_;
  std::size_t size_;
  bool swaps_bytes_;
};

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
  if (!array.is_number() && array.kind != MatlabClass::text) return;
  if (array.size() == 0) return;
  const Element values = parts.next();
  array.type = number_type(parts, values);
  array.data = values.data;
}

/// Numbers in a variable, whose bytes they have for themselves.
class StoredNumbers final : public MatlabNumbers {
 public:
  /// @param most bytes that may follow behind them
  StoredNumbers(std::unique_ptr<VariableBytes> bytes, MatlabType type, const Tag& place,
                bool swaps_bytes, std::size_t most)
      : bytes_(std::move(bytes)),
        type_(type),
        place_(place),
        swaps_bytes_(swaps_bytes),
        most_behind_(most) {
    visit_numbers(type_, {}, swaps_bytes_,
                  [&](const auto& numbers) { item_size_ = sizeof(numbers[0]); });
  }

  Index size() const override { return static_cast<Index>(place_.length / item_size_); }
  std::size_t bytes() const override { return place_.length; }
  void read(Index first, std::span<double> out) override { convert(first, out); }
  void read(Index first, std::span<float> out) override { convert(first, out); }
  void read(Index first, std::span<ColumnIndex> out) override { convert(first, out); }
  void finish() override { bytes_->finish(most_behind_); }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 13;  // numbers at a time

  template <class T, class Number>
  static T converted(Number number) {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(number);
    else if constexpr (std::is_floating_point_v<Number>)
      return T{-1};
    else
      return std::in_range<T>(number) ? static_cast<T>(number) : T{-1};
  }

  template <class T>
  void convert(Index first, std::span<T> out) {
    held_.resize(std::min(kPiece, out.size()) * item_size_);
    for (std::size_t done = 0; done < out.size(); done += kPiece) {
      const auto part = out.subspan(done, std::min(kPiece, out.size() - done));
      const std::span<char> bytes(held_.data(), part.size() * item_size_);
      bytes_->read(place_.offset + (static_cast<std::size_t>(first) + done) * item_size_, bytes);
      visit_numbers(type_, {bytes.data(), bytes.size()}, swaps_bytes_, [&](const auto& numbers) {
        for (std::size_t i = 0; i < part.size(); ++i)
          part[i] = converted<T>(numbers[static_cast<Index>(i)]);
      });
    }
  }

  std::unique_ptr<VariableBytes> bytes_;
  MatlabType type_;
  Tag place_;
  bool swaps_bytes_;
  std::size_t most_behind_;
  std::size_t item_size_ = 1;
  std::vector<char> held_ = {};
};

class Reader {
 public:
  Reader(ByteSource& source, bool is_trusted)
      : stored_(std::make_shared<const StoredBytes>(source)),
        budget_(largest_content(stored_->size(), is_trusted)) {}

  MatlabFile read(const WantedVariables& wanted) {
    read_byte_order();
    for (std::size_t at = kHeaderSize; at < stored_->size();) {
      const Tag tag = tag_at(at);
      place_ = {tag.type, at + tag.offset, tag.length};
      at += tag.padded_end();
      if (tag.type == kMatrix || tag.type == kCompressed) read_variable(wanted);
    }
    return std::move(result_);
  }

 private:
  void read_byte_order() {
    std::string mark(2, ' ');
    if (stored_->size() >= kHeaderSize) stored_->read(kHeaderSize - mark.size(), mark);
    if (mark != "IM" && mark != "MI")
      throw DataError(
          fmt::format("{}: the header of the MATLAB file is cut off or damaged", stored_->name()));
    swaps_bytes_ = (mark == "IM") != (std::endian::native == std::endian::little);
  }

  Tag tag_at(std::size_t at) const {
    std::array<char, kTagSize> bytes{};
    if (stored_->size() - at < bytes.size()) stored_->refuse();
    stored_->read(at, bytes);
    const auto tag = tag_of({bytes.data(), bytes.size()}, swaps_bytes_);
    if (!tag || tag->end() > stored_->size() - at) stored_->refuse();
    return *tag;
  }

  std::unique_ptr<VariableBytes> variable() const {
    return std::make_unique<VariableBytes>(stored_, place_.offset, place_.length,
                                           place_.type == kCompressed);
  }

  /// Of a compressed variable: a tag with the full length, of which the start alone may be here.
  std::size_t skipped() const { return place_.type == kCompressed ? kTagSize : 0; }

  Elements elements(std::string_view bytes) const {
    if (bytes.size() < skipped()) stored_->refuse();
    return {*stored_, bytes.substr(skipped()), swaps_bytes_};
  }

  void read_variable(const WantedVariables& wanted) {
    const auto bytes = variable();
    const std::string start = bytes->start(kBytesToName);
    Elements first = elements(start);
    MatlabArray array = read_description(first);
    if (wanted.has(array.name)) {
      const auto content = std::make_shared<const std::string>(
          bytes->start(bytes->is_compressed() ? budget_ : place_.length));
      if (bytes->is_compressed()) take_from_budget(content->size());
      result_.owners.push_back(content);
      Elements parts = elements(*content);
      read_description(parts);
      read_content(parts, array, 0);
    }
    const std::size_t behind = skipped() + first.position();
    if (array.name == wanted.table) find_numbers(behind, array);
    const bool has_fields = array.kind == MatlabClass::structure && array.size() == 1;
    const std::string prefix = array.name + ".";
    result_.variables.push_back(std::move(array));
    if (has_fields) read_fields(wanted, prefix, behind);
  }

  /// The fields of a structure as variables of their own, called s.x.
  void read_fields(const WantedVariables& wanted, const std::string& prefix, std::size_t position) {
    const auto bytes = variable();
    const auto content = [&](const Tag& place, std::size_t most) {
      std::string held(std::min(place.length, most), '\0');
      bytes->read(place.offset, held);
      return held;
    };
    const std::string width_bytes = content(next_place(*bytes, position), sizeof(std::int32_t));
    const std::string names = content(next_place(*bytes, position), kMostFieldBytes);
    if (width_bytes.size() < sizeof(std::int32_t)) stored_->refuse();
    const auto width = PackedNumbers<std::uint32_t>(width_bytes, swaps_bytes_)[0];
    if (width == 0) return;
    for (std::size_t at = 0; at + width <= names.size(); at += width) {
      const Tag place = next_place(*bytes, position);
      if (place.type != kMatrix) stored_->refuse();
      if (place.length == 0) continue;
      const std::string start = content(place, kBytesToName);
      Elements first(*stored_, start, swaps_bytes_);
      MatlabArray array = read_description(first);
      array.name =
          prefix + names.substr(at, std::min<std::size_t>(names.find('\0', at) - at, width));
      if (wanted.has(array.name)) load_field(content(place, budget_), array);
      if (array.name == wanted.table) find_numbers(place.offset + first.position(), array);
      result_.variables.push_back(std::move(array));
    }
  }

  void load_field(std::string content, MatlabArray& array) {
    if (place_.type == kCompressed) take_from_budget(content.size());
    const auto held = std::make_shared<const std::string>(std::move(content));
    result_.owners.push_back(held);
    Elements parts(*stored_, *held, swaps_bytes_);
    read_description(parts);
    read_content(parts, array, 0);
  }

  void take_from_budget(std::size_t bytes) {
    if (bytes >= budget_) refuse_expansion(stored_->name(), stored_->size());
    budget_ -= bytes;
  }

  /// Where the numbers of a table are, from `position` in the variable on.
  void find_numbers(std::size_t position, MatlabArray& array) {
    const bool is_sparse = array.kind == MatlabClass::sparse;
    if ((!is_sparse && !array.is_number()) || array.size() == 0) return;
    const auto bytes = variable();
    if (is_sparse) {
      const Tag rows = next_place(*bytes, position);
      const Tag starts = next_place(*bytes, position);
      std::string content(starts.length, '\0');
      bytes->read(starts.offset, content);
      Elements context(*stored_, {}, swaps_bytes_);
      array.column_starts = read_indices(context, {starts.type, content});
      array.entry_rows = numbers_at(rows);
    }
    const Tag values = next_place(*bytes, position);
    array.values = numbers_at(values);
    if (bytes->is_compressed()) take_from_budget(values.end());
  }

  /// The place of the element at `position`, which moves on. Its offset is that in the variable.
  Tag next_place(VariableBytes& bytes, std::size_t& position) const {
    std::array<char, kTagSize> start{};
    bytes.read(position, start);
    auto tag = tag_of({start.data(), start.size()}, swaps_bytes_);
    if (!tag || !bytes.may_hold(position + tag->end())) stored_->refuse();
    if (bytes.is_compressed() && position + tag->end() >= budget_)
      refuse_expansion(stored_->name(), stored_->size());
    const std::size_t next = position + tag->padded_end();
    tag->offset += position;
    position = next;
    return *tag;
  }

  std::shared_ptr<MatlabNumbers> numbers_at(const Tag& place) const {
    const MatlabType type =
        number_type(Elements(*stored_, {}, swaps_bytes_), {place.type, std::string_view{}});
    return std::make_shared<StoredNumbers>(variable(), type, place, swaps_bytes_, budget_);
  }

  std::shared_ptr<const StoredBytes> stored_;
  std::size_t budget_;
  bool swaps_bytes_ = false;
  Tag place_ = {};  // of the variable
  MatlabFile result_ = {};
};

}  // namespace

MatlabFile read_matlab_5(ByteSource& source, const WantedVariables& wanted, bool is_trusted) {
  return Reader(source, is_trusted).read(wanted);
}

}  // namespace tamis
