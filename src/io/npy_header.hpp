#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// What an NPY file says of the array behind its header.
struct NpyHeader {
  std::string type = {};   ///< as it is written: '<f8'
  std::string shape = {};  ///< likewise: (2, 3)
  char kind = 'f';         ///< f, i, u, b, U, S or O, as NumPy calls them; ? if it is none of these
  Index item_size = 8;
  bool swaps_bytes = false;
  bool is_fortran = false;
  Index dimensions = 2;
  Index rows = 0;  ///< 1 of a single value
  Index cols = 0;  ///< 1 of a vector; all that is behind the first of several dimensions

  bool is_number() const { return kind == 'f' || is_integer(); }
  bool is_integer() const { return kind == 'i' || kind == 'u' || kind == 'b'; }
  bool is_text() const { return kind == 'U' || kind == 'S'; }
  /// Whether it is a list of so many items, perhaps as a column.
  bool is_list(Index count) const {
    return rows == count && cols == 1 && (dimensions == 1 || dimensions == 2);
  }
  bool is_single() const { return kind == 'f' && item_size == 4; }
};

/// Takes the header off. @throws DataError if it is damaged
NpyHeader read_npy_header(ByteSource& source);

/// @throws DataError if it is not that of a table of numbers
void check_is_table(const std::string& file, const NpyHeader& header);

/// Items that only Python can make anew, which may do anything while they are made.
/// @throws DataError saying so of what `name` calls
[[noreturn]] void refuse_objects(const std::string& name);

/// @throws DataError if less data follow than the header says
void check_npy_length(ByteSource& source, const NpyHeader& header);

/// The header of an array in C order: of a type such as "<f8", or "f8" in the order of bytes of
/// this machine, and a shape such as "(2, 3)".
std::string npy_header_text(std::string_view type, std::string_view shape);

/// Turns each item around.
void swap_items(char* bytes, std::size_t size, std::size_t item_size);

/// Calls visit with a value of the type that items have.
template <class Visit>
void visit_item_type(const NpyHeader& header, Visit&& visit) {
  const bool is_signed = header.kind == 'i';
  if (header.kind == 'f')
    header.item_size == 4 ? visit(float{}) : visit(double{});
  else if (header.item_size == 1)
    is_signed ? visit(std::int8_t{}) : visit(std::uint8_t{});
  else if (header.item_size == 2)
    is_signed ? visit(std::int16_t{}) : visit(std::uint16_t{});
  else if (header.item_size == 4)
    is_signed ? visit(std::int32_t{}) : visit(std::uint32_t{});
  else
    is_signed ? visit(std::int64_t{}) : visit(std::uint64_t{});
}

}  // namespace tamis
