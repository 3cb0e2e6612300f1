#pragma once

#include <cstdint>

#include "io/byte_source.hpp"
#include "tamis/core/index.hpp"

namespace tamis {

/// What an NPY file says of the table behind its header.
struct NpyHeader {
  char kind = 'f';  ///< f, i, u or b, as NumPy calls them
  Index item_size = 8;
  bool swaps_bytes = false;
  bool is_fortran = false;
  Index rows = 0;
  Index cols = 0;

  bool is_single() const { return kind == 'f' && item_size == 4; }
};

/// Whether an array of one dimension is a column.
enum class NpyVectors { refused, taken };

/// Takes the header off. @throws DataError if it is damaged or that of no table of numbers
NpyHeader read_npy_header(ByteSource& source, NpyVectors vectors = NpyVectors::refused);

/// @throws DataError if less data follow than the header says
void check_npy_length(ByteSource& source, const NpyHeader& header);

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
