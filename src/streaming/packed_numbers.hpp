#pragma once

#include <cstdint>
#include <span>

#include "streaming/bytes.hpp"

namespace tamis {

/// Puts numbers of which neighbours are about as large: each block of 64 in as many bytes a number
/// as the largest of them needs, less the zeros that all of them end with.
void put_packed(std::span<const std::uint64_t> numbers, ByteWriter& writer);

/// Takes as many off again.
/// @throws DataError if there are not as many left
void get_packed(ByteReader& reader, std::span<std::uint64_t> numbers);

}  // namespace tamis
