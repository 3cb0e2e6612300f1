#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"
#include "tamis/core/index.hpp"
#include "tamis/core/row_source.hpp"

namespace tamis {

/// What an element of a MATLAB file is, mostly how its numbers lie there; the values are those of
/// the format.
enum class MatlabType {
  none = 0,
  int8 = 1,
  uint8 = 2,
  int16 = 3,
  uint16 = 4,
  int32 = 5,
  uint32 = 6,
  single = 7,
  float64 = 9,
  int64 = 12,
  uint64 = 13,
  matrix = 14,
  compressed = 15,
  utf8 = 16,
  utf16 = 17,
  utf32 = 18,
};

/// What a variable is in MATLAB; the values are those of the format.
enum class MatlabClass {
  empty = 0,
  cell = 1,
  structure = 2,
  object = 3,
  text = 4,
  sparse = 5,
  float64 = 6,
  single = 7,
  uint64 = 15,  ///< 8 to 15 are the integers
  function = 16,
  opaque = 17,
};

/// Cells may hold cells, but only so deep.
constexpr int kDeepestCell = 8;

/// Whether some array may have this shape: no negative extents, no overflow of their product.
bool is_possible(std::span<const Index> shape);

/// Numbers of an array that stay in their file, of which parts are read; in order is fastest.
class MatlabNumbers {
 public:
  MatlabNumbers() = default;
  virtual ~MatlabNumbers() = default;
  MatlabNumbers(const MatlabNumbers&) = delete;
  MatlabNumbers& operator=(const MatlabNumbers&) = delete;

  virtual Index size() const = 0;
  /// What they take in the file, or do when inflated.
  virtual std::size_t bytes() const = 0;
  /// Those from `first` on. @throws DataError if they are cut off or damaged
  virtual void read(Index first, std::span<double> out) = 0;
  virtual void read(Index first, std::span<float> out) = 0;
  /// What is no index becomes one that no table has.
  virtual void read(Index first, std::span<ColumnIndex> out) = 0;
  /// Compares checksums, once all was read. @throws DataError if one is another
  virtual void finish() {}
};

/// One variable, or one cell of a variable, column-major as MATLAB has it. Does not own its data.
struct MatlabArray {
  std::string name = {};
  MatlabClass kind = MatlabClass::empty;
  bool is_complex = false;
  std::vector<Index> shape = {};
  MatlabType type = MatlabType::none;
  std::string_view data = {};
  bool swaps_bytes = false;
  std::shared_ptr<MatlabNumbers> values = nullptr;      ///< of the table, in place of data
  std::shared_ptr<MatlabNumbers> entry_rows = nullptr;  ///< if it is sparse
  std::vector<Index> column_starts = {};                ///< likewise, one more than it has columns
  std::vector<MatlabArray> cells = {};

  Index size() const;  ///< product of the shape
  bool is_number() const { return kind >= MatlabClass::float64 && kind <= MatlabClass::uint64; }
  std::string describe() const;  ///< "X (171 x 5748 double)"
};

/// The variables of a file, and what keeps their data alive. Only wanted ones have data, and the
/// table has numbers in its file.
struct MatlabFile {
  std::vector<MatlabArray> variables = {};
  std::vector<std::shared_ptr<const void>> owners = {};

  const MatlabArray* find(std::string_view name) const;
};

/// What of a file is asked for, by name.
struct WantedVariables {
  std::string table;  ///< "": none
  std::vector<std::string> others;

  bool has(const std::string& name) const {
    return std::ranges::find(others, name) != others.end();
  }
};

/// Level 5. The source must outlive the result. Checked throughout: sizes against what is there,
/// compressed data against their checksums.
/// @throws DataError if it is cut off or damaged, or becomes too much (expansion.hpp)
MatlabFile read_matlab_5(ByteSource& source, const WantedVariables& wanted, bool is_trusted);

/// Level 7.3, through HDF5, which must find in the file itself what it is asked for.
/// @throws DataError if it is cut off or damaged, becomes too much, or if a wanted variable lies
/// elsewhere
MatlabFile read_matlab_73(const std::string& path, const WantedVariables& wanted, bool is_trusted);

/// The rows of a full matrix of numbers of level 7.3, in runs; float32 of class single, else
/// double.
/// @throws DataError like read_matlab_73, also while rows are read
std::unique_ptr<RowSource> matlab_73_rows(const std::string& path, const MatlabArray& array,
                                          bool is_single, bool is_trusted);

/// Numbers of one type at any address and in either byte order.
template <class Item>
class PackedNumbers {
 public:
  PackedNumbers(std::string_view data, bool swaps_bytes) : data_(data), swaps_bytes_(swaps_bytes) {}

  Index size() const { return static_cast<Index>(data_.size() / sizeof(Item)); }
  Item operator[](Index i) const {
    char bytes[sizeof(Item)];
    std::memcpy(bytes, data_.data() + static_cast<std::size_t>(i) * sizeof(Item), sizeof(Item));
    if (swaps_bytes_) std::reverse(bytes, bytes + sizeof(Item));
    return std::bit_cast<Item>(bytes);
  }

 private:
  std::string_view data_;
  bool swaps_bytes_;
};

/// Calls visit with the PackedNumbers of the given type; with none if the type is not a number's.
template <class Visit>
void visit_numbers(MatlabType type, std::string_view data, bool swaps_bytes, Visit&& visit) {
  const auto call = [&]<class Item>(Item) { visit(PackedNumbers<Item>(data, swaps_bytes)); };
  switch (type) {
    case MatlabType::int8:
      return call(std::int8_t{});
    case MatlabType::uint8:
    case MatlabType::utf8:
      return call(std::uint8_t{});
    case MatlabType::int16:
      return call(std::int16_t{});
    case MatlabType::uint16:
    case MatlabType::utf16:
      return call(std::uint16_t{});
    case MatlabType::int32:
      return call(std::int32_t{});
    case MatlabType::uint32:
    case MatlabType::utf32:
      return call(std::uint32_t{});
    case MatlabType::single:
      return call(float{});
    case MatlabType::float64:
      return call(double{});
    case MatlabType::int64:
      return call(std::int64_t{});
    case MatlabType::uint64:
      return call(std::uint64_t{});
    case MatlabType::none:
    case MatlabType::matrix:
    case MatlabType::compressed:
      return;
  }
}

}  // namespace tamis
