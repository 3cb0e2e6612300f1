#include "streaming/packed_numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/random.hpp"
#include "support/message_of.hpp"

namespace tamis {
namespace {

using Numbers = std::vector<std::uint64_t>;

Bytes packed(const Numbers& numbers) {
  return ByteWriter::written([&](ByteWriter& writer) { put_packed(numbers, writer); });
}

Numbers unpacked(const Bytes& bytes, std::size_t count) {
  Numbers numbers(count, 1);
  ByteReader reader(bytes);
  get_packed(reader, numbers);
  reader.expect_end();
  return numbers;
}

TEST(PackedNumbers, ComeBackAsTheyWere) {
  RandomStream random(1, 0);
  for (const std::size_t count : {0, 1, 2, 63, 64, 65, 127, 128, 129, 1000})
    for (int bits = 0; bits <= 64; ++bits) {
      Numbers numbers(count);
      for (std::uint64_t& number : numbers) number = bits == 0 ? 0 : random.bits() >> (64 - bits);
      EXPECT_EQ(unpacked(packed(numbers), count), numbers) << count << " of " << bits << " bits";
    }
}

TEST(PackedNumbers, TakeTheBytesOfTheLargestOfTheirBlock) {
  Numbers numbers(128, 200);
  EXPECT_EQ(packed(numbers).size(), 2 * (2 + 64u));
  numbers[100] = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(packed(numbers).size(), 2 + 64u + 2 + 8 * 64u);
  EXPECT_EQ(packed(Numbers(128, 0)).size(), 2 * 2u);
  EXPECT_EQ(packed(Numbers(64, std::uint64_t{3} << 60)).size(), 2 + 64u) << "zeros at the end";
}

TEST(PackedNumbers, RefusesWhatIsCutOffOrDamaged) {
  const Bytes bytes = packed({1, 2, 3});
  const auto refused = [](const Bytes& damaged) {
    return message_of<DataError>([&] { unpacked(damaged, 3); });
  };
  const std::string refusal = "the answer of a run of rows is cut off or damaged";
  EXPECT_EQ(refused({bytes.begin(), bytes.end() - 1}), refusal);
  EXPECT_EQ(refused({bytes.begin(), bytes.begin() + 1}), refusal);
  EXPECT_EQ(refused({}), refusal);
  for (const std::size_t place : {0, 1}) {  // width, shift
    Bytes damaged = bytes;
    damaged[place] = std::byte{64};
    EXPECT_EQ(refused(damaged), refusal);
  }
}

}  // namespace
}  // namespace tamis
