#include "io/field_ends.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "io/byte_marks.hpp"

namespace tamis {
namespace {

TEST(ByteMarks, AreTheSameByWords) {
  RandomStream random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes(64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.below(trial % 2 == 0 ? 256 : 3));
    for (const char wanted : {',', '\0', '\1', '\x81', '\xFF'}) {
      std::uint64_t marks = 0;
      for (unsigned k = 0; k < 64; ++k)
        if (bytes[k] == wanted) marks |= std::uint64_t{1} << k;
      EXPECT_EQ(byte_marks(bytes.data(), wanted), marks);
      EXPECT_EQ(detail::byte_marks_by_words(bytes.data(), wanted), marks);
    }
  }
}

/// One field after the other.
std::vector<Index> naive_ends(std::string_view record, char delimiter) {
  std::vector<Index> ends;
  for (Index k = 0; k < std::ssize(record); ++k)
    if (record[k] == delimiter) ends.push_back(k);
  ends.push_back(std::ssize(record));
  return ends;
}

void expect_ends(std::string_view record, const char* behind) {
  const std::vector<Index> expected = naive_ends(record, ';');
  const Index fields = std::ssize(expected);
  FieldEnds ends(fields);
  ASSERT_TRUE(ends.find(record, behind, ';')) << record;
  for (Index f = 0; f < fields; ++f) EXPECT_EQ(ends[f], expected[f]) << record;
  EXPECT_FALSE(FieldEnds(fields + 1).find(record, behind, ';')) << record;
  EXPECT_FALSE(FieldEnds(fields - 1).find(record, behind, ';')) << record;
}

TEST(FieldEnds, AreThoseOfEveryFieldOnEveryTarget) {
  for (const Target target : {Target::baseline, Target::avx2, Target::avx512}) {
    if (target > best_target()) continue;
    const TargetLimit limit(target);
    RandomStream random(7);
    for (Index size = 0; size < 300; ++size) {
      std::string text;
      for (Index k = 0; k < size; ++k) text += random.below(1 + size % 7) == 0 ? ';' : '5';
      const std::string_view record = text;
      expect_ends(record, record.data() + record.size());
      const std::string longer = text + "\n6;7;8";  // which belongs to the next record
      expect_ends(std::string_view(longer).substr(0, text.size()), longer.data() + longer.size());
    }
  }
}

TEST(FieldEnds, OfARecordWithFarTooManyFieldsAreNotFound) {
  const std::string record(100'000, ';');
  EXPECT_FALSE(FieldEnds(2).find(record, record.data() + record.size(), ';'));
}

}  // namespace
}  // namespace tamis
