#include "io/arrow_column.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

// Arrays as Arrow's specification has them, made by hand: no library of Arrow is needed.
namespace tamis {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Column {
  ArrowSchema field{};
  ArrowArray array{};
  std::vector<const void*> buffers;

  Column(const char* format, std::int64_t length, std::vector<const void*> parts)
      : buffers(std::move(parts)) {
    field.format = format;
    array.length = length;
    array.n_buffers = std::ssize(buffers);
    array.buffers = buffers.data();
  }

  std::vector<double> numbers() const {
    std::vector<double> out(static_cast<std::size_t>(array.length));
    copy_numbers(field, array, out.data());
    return out;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> out(static_cast<std::size_t>(array.length));
    copy_texts(field, array, out.data());
    return out;
  }
};

using Texts = std::vector<std::string>;

void expect_equal(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])))
        << i << ": " << found[i];
}

TEST(ArrowColumn, IsNumbersTextsOrNeither) {
  for (const char* format : {"n", "b", "c", "C", "s", "S", "i", "I", "l", "L", "e", "f", "g",
                             "d:10,2", "d:9,2,32", "d:9,2,64"})
    EXPECT_EQ(kind_of(Column(format, 0, {}).field), ArrowKind::numbers) << format;
  for (const char* format : {"u", "U", "vu", "tdD", "tdm", "tss:", "tsn:UTC"})
    EXPECT_EQ(kind_of(Column(format, 0, {}).field), ArrowKind::texts) << format;
  for (const char* format : {"z", "Z", "w:4", "+l", "+s", "tts", "tDs", "d:70,2,256", "d:", "?"})
    EXPECT_EQ(kind_of(Column(format, 0, {}).field), ArrowKind::others) << format;
}

TEST(ArrowColumn, HasNumbersFromAnOffsetOnAndGaps) {
  const std::array<std::int32_t, 5> items{9, 1, -2, 3, 4};
  const std::array<std::uint8_t, 1> valid{0b10111};
  Column column("i", 4, {valid.data(), items.data()});
  column.array.offset = 1;
  expect_equal(column.numbers(), {1, -2, kNan, 4});
  EXPECT_EQ(column.texts(), (Texts{"1", "-2", "", "4"}));
}

TEST(ArrowColumn, HasTruths) {
  const std::array<std::uint8_t, 2> bits{0b00000010, 0b1};
  Column column("b", 9, {nullptr, bits.data()});
  expect_equal(column.numbers(), {0, 1, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_EQ(column.texts()[1], "true");
  EXPECT_EQ(column.texts()[0], "false");
}

TEST(ArrowColumn, HasHalves) {
  const std::array<std::uint16_t, 6> items{0x3C00, 0xC000, 0x0001, 0x7C00, 0x7E00, 0x3555};
  const Column column("e", 6, {nullptr, items.data()});
  expect_equal(column.numbers(),
               {1, -2, 0x1p-24, std::numeric_limits<double>::infinity(), kNan, 0.333251953125});
}

TEST(ArrowColumn, HasDecimals) {
  const std::array<std::int64_t, 4> items{12345, 0, -1, -1};  // two of 128 bits
  expect_equal(Column("d:10,2", 2, {nullptr, items.data()}).numbers(), {123.45, -0.01});
  const std::array<std::int32_t, 2> small{5, -12};
  expect_equal(Column("d:9,-1,32", 2, {nullptr, small.data()}).numbers(), {50, -120});
}

TEST(ArrowColumn, HasTexts) {
  const std::array<std::int32_t, 4> ends{0, 2, 2, 5};
  const std::array<std::int64_t, 4> wide{0, 2, 2, 5};
  const std::string characters = "abcde";
  const std::array<std::uint8_t, 1> valid{0b101};
  EXPECT_EQ(Column("u", 3, {nullptr, ends.data(), characters.data()}).texts(),
            (Texts{"ab", "", "cde"}));
  EXPECT_EQ(Column("U", 3, {valid.data(), wide.data(), characters.data()}).texts(),
            (Texts{"ab", "", "cde"}));
}

TEST(ArrowColumn, HasViewsOfTexts) {
  const std::string far = "..a text of more bytes";
  std::string views("\x02\0\0\0no\0\0\0\0\0\0\0\0\0\0", 16);
  views += std::string("\x14\0\0\0a te\0\0\0\0\x02\0\0\0", 16);
  const Column column("vu", 2, {nullptr, views.data(), far.data()});
  EXPECT_EQ(column.texts(), (Texts{"no", "a text of more bytes"}));
}

TEST(ArrowColumn, HasDaysAndMoments) {
  const std::array<std::int32_t, 2> days{0, 19844};
  EXPECT_EQ(Column("tdD", 2, {nullptr, days.data()}).texts(), (Texts{"1970-01-01", "2024-05-01"}));
  const std::array<std::int64_t, 3> milliseconds{1500, -1, std::int64_t{1} << 62};
  EXPECT_EQ(Column("tsm:UTC", 3, {nullptr, milliseconds.data()}).texts(),
            (Texts{"1970-01-01 00:00:01", "1969-12-31 23:59:59", "4611686018427387"}));
}

TEST(ArrowColumn, HasEntriesOfADictionary) {
  const std::array<std::int8_t, 4> indices{1, 0, 0, 1};
  const std::array<std::uint8_t, 1> valid{0b1011};
  const std::array<std::int32_t, 3> ends{0, 3, 5};
  Column entries("u", 2, {nullptr, ends.data(), "redno"});
  Column column("c", 4, {valid.data(), indices.data()});
  column.field.dictionary = &entries.field;
  column.array.dictionary = &entries.array;
  EXPECT_EQ(kind_of(column.field), ArrowKind::texts);
  EXPECT_EQ(column.texts(), (Texts{"no", "red", "", "no"}));
  const std::array<float, 2> values{0.5F, 2};
  Column numbers("f", 2, {nullptr, values.data()});
  column.field.dictionary = &numbers.field;
  column.array.dictionary = &numbers.array;
  expect_equal(column.numbers(), {2, 0.5, kNan, 2});
}

}  // namespace
}  // namespace tamis
