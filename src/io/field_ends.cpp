#include "io/field_ends.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/cpu.hpp"
#include "io/byte_marks.hpp"

namespace tamis {

bool FieldEnds::find(std::string_view record, const char* behind, char delimiter) {
  const char* const start = record.data();
  const Index size = std::ssize(record);
  const Index most = fields_;
  Index* const ends = ends_.data() + 1;
  constexpr auto kNoMark = std::uint64_t{1} << (kBlock - 1);  // where all is said already
  const Index found = for_this_cpu([=](auto) TAMIS_KERNEL {
    Index count = 0;
    for (Index first = 0; first < size && count < most; first += kBlock) {
      std::array<char, kBlock> last;
      const char* block = start + first;
      if (behind - block < kBlock) {
        std::memcpy(last.data(), block, static_cast<std::size_t>(behind - block));
        block = last.data();
      }
      std::uint64_t marks = byte_marks(block, delimiter);
      if (size - first < kBlock) marks &= (std::uint64_t{1} << (size - first)) - 1;
      const Index end = count + std::popcount(marks);
      for (; count < end; count += kAtOnce)
        for (Index k = 0; k < kAtOnce; ++k, marks &= marks - 1)
          ends[count + k] = first + std::countr_zero(marks | kNoMark);
      count = end;
    }
    return count;
  });
  if (found + 1 != fields_) return false;
  ends[found] = size;
  return true;
}

}  // namespace tamis
