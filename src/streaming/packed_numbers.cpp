#include "streaming/packed_numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace tamis {
namespace {

static_assert(std::endian::native == std::endian::little, "the first bytes are the low ones");

constexpr std::size_t kBlock = 64;
constexpr std::size_t kNumber = sizeof(std::uint64_t);

/// How the numbers of a block are written.
struct Packing {
  std::uint8_t width;  ///< bytes of each
  std::uint8_t shift;  ///< bits at the end that are not written

  bool is_possible() const { return width <= kNumber && shift < 64; }
};

/// Packed numbers, and what writing or reading the last of them as a whole touches besides.
using Room = std::array<std::byte, (kBlock + 1) * kNumber>;

Packing packing_of(std::span<const std::uint64_t> block) {
  std::uint64_t bits = 0;
  for (const std::uint64_t number : block) bits |= number;
  if (bits == 0) return {0, 0};
  const int shift = std::countr_zero(bits);
  const int width = (64 - shift - std::countl_zero(bits) + 7) / 8;
  return {static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(shift)};
}

/// Calls visit(block) on all numbers, one block after the other.
template <class T, class Visit>
void for_each_block(std::span<T> numbers, const Visit& visit) {
  for (std::size_t first = 0; first < numbers.size(); first += kBlock)
    visit(numbers.subspan(first, std::min(kBlock, numbers.size() - first)));
}

}  // namespace

void put_packed(std::span<const std::uint64_t> numbers, ByteWriter& writer) {
  Room room{};
  for_each_block(numbers, [&](std::span<const std::uint64_t> block) {
    const Packing packing = packing_of(block);
    std::byte* to = room.data();
    for (const std::uint64_t number : block) {
      const std::uint64_t written = number >> packing.shift;
      std::memcpy(to, &written, kNumber);
      to += packing.width;
    }
    writer.put(packing);
    writer.put_bytes({room.data(), to});
  });
}

void get_packed(ByteReader& reader, std::span<std::uint64_t> numbers) {
  Room room{};
  for_each_block(numbers, [&](std::span<std::uint64_t> block) {
    const auto packing = reader.get<Packing>();
    if (!packing.is_possible()) ByteReader::refuse();
    reader.get_bytes({room.data(), block.size() * packing.width});
    const std::uint64_t mask =
        packing.width == 0 ? 0 : ~std::uint64_t{0} >> (8 * (kNumber - packing.width));
    const std::byte* from = room.data();
    for (std::uint64_t& number : block) {
      std::uint64_t written = 0;
      std::memcpy(&written, from, kNumber);
      number = (written & mask) << packing.shift;
      from += packing.width;
    }
  });
}

}  // namespace tamis
