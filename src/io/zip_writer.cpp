// The format: APPNOTE.TXT of PKWARE, 6.3. Sizes and offsets stand in Zip64 fields throughout, as
// NumPy writes them, so that large and small archives are made alike.
#include "io/zip_writer.hpp"

#include <zlib.h>

#include <concepts>

namespace tamis {
namespace {

constexpr std::uint16_t kVersion = 45;  // that reads Zip64
constexpr std::uint16_t kNamesAreUtf8 = 1 << 11;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kMidnight = 0;
constexpr std::uint16_t kFirstOf1980 = (1 << 5) | 1;  // the same bytes at any time
constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;      // in a Zip64 field
constexpr std::uint16_t kManyEntries = 0xFFFF;        // likewise
constexpr std::uint16_t kZip64 = 1;                   // the tag of such a field

/// Numbers in little-endian order, one behind another.
class Fields {
 public:
  template <std::unsigned_integral... Numbers>
  explicit Fields(Numbers... numbers) {
    (put(numbers), ...);
  }

  operator std::string_view() const { return bytes_; }  // NOLINT: that is what they are

 private:
  template <std::unsigned_integral Number>
  void put(Number number) {
    for (std::size_t byte = 0; byte < sizeof number; ++byte)
      bytes_ += static_cast<char>((number >> (8 * byte)) & 0xFF);
  }

  std::string bytes_;
};

constexpr std::uint16_t kHeadOfField = 4;
constexpr std::uint16_t kTwoSizes = 2 * sizeof(std::uint64_t);
constexpr std::uint16_t kTwoSizesAndOffset = 3 * sizeof(std::uint64_t);

std::uint16_t length_of(const std::string& name) { return static_cast<std::uint16_t>(name.size()); }

}  // namespace

void ZipWriter::add(std::string name, const std::function<void(const Sink&)>& content) {
  Entry entry{.name = std::move(name), .checksum = 0, .size = 0, .offset = written_};
  content([&](std::string_view bytes) {
    entry.checksum = static_cast<std::uint32_t>(crc32_z(
        entry.checksum, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
    entry.size += bytes.size();
  });
  write(Fields(std::uint32_t{0x04034B50}, kVersion, kNamesAreUtf8, kStored, kMidnight, kFirstOf1980,
               entry.checksum, kElsewhere, kElsewhere, length_of(entry.name),
               static_cast<std::uint16_t>(kHeadOfField + kTwoSizes)));
  write(entry.name);
  write(Fields(kZip64, kTwoSizes, entry.size, entry.size));
  content([&](std::string_view bytes) { write(bytes); });
  entries_.push_back(std::move(entry));
}

void ZipWriter::write(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void ZipWriter::write_directory() {
  for (const Entry& entry : entries_) {
    write(Fields(std::uint32_t{0x02014B50}, kVersion, kVersion, kNamesAreUtf8, kStored, kMidnight,
                 kFirstOf1980, entry.checksum, kElsewhere, kElsewhere, length_of(entry.name),
                 static_cast<std::uint16_t>(kHeadOfField + kTwoSizesAndOffset),
                 std::uint16_t{0} /* comment */, std::uint16_t{0} /* disk */,
                 std::uint16_t{0} /* internal attributes */,
                 std::uint32_t{0} /* external attributes */, kElsewhere));
    write(entry.name);
    write(Fields(kZip64, kTwoSizesAndOffset, entry.size, entry.size, entry.offset));
  }
}

void ZipWriter::commit() {
  const std::uint64_t start = written_;
  write_directory();
  const std::uint64_t end = written_;
  const std::uint64_t count = entries_.size();
  constexpr std::uint64_t kRestOfEnd = 44;  // bytes behind this number
  const std::uint32_t disk = 0;
  write(Fields(std::uint32_t{0x06064B50}, kRestOfEnd, kVersion, kVersion, disk, disk, count, count,
               end - start, start));
  write(Fields(std::uint32_t{0x07064B50}, disk, end, std::uint32_t{1} /* disks */));
  write(Fields(std::uint32_t{0x06054B50}, std::uint16_t{0}, std::uint16_t{0}, kManyEntries,
               kManyEntries, kElsewhere, kElsewhere, std::uint16_t{0} /* comment */));
  file_.commit();
}

}  // namespace tamis
