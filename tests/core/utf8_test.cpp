#include "core/utf8.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

std::string utf8_of(std::uint32_t code) {
  std::string text;
  append_utf8(text, code);
  return text;
}

TEST(Utf8, IsWrittenAsItIsRead) {
  EXPECT_EQ(utf8_of('a') + utf8_of(0xE9) + utf8_of(0x20AC) + utf8_of(0x1F600),
            "a\u00e9\u20ac\U0001f600");
  for (const std::uint32_t code :
       {0U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xD7FFU, 0xE000U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    const std::string text = utf8_of(code);
    EXPECT_EQ(utf8_at(text, 0).code, code);
    EXPECT_EQ(utf8_at(text, 0).length, text.size());
  }
}

TEST(Utf8, HasAMarkForWhatIsNoCharacter) {
  for (const std::uint32_t code : {0xD800U, 0xDFFFU, 0x110000U, 0xFFFFFFFFU})
    EXPECT_EQ(utf8_of(code), "\uFFFD");
}

TEST(Utf8, KnowsThePairsOfUtf16) {
  EXPECT_TRUE(is_surrogate_pair(0xD83D, 0xDE00));
  EXPECT_EQ(character_of_pair(0xD83D, 0xDE00), 0x1F600U);
  EXPECT_EQ(character_of_pair(0xD800, 0xDC00), 0x10000U);
  EXPECT_EQ(character_of_pair(0xDBFF, 0xDFFF), 0x10FFFFU);
  EXPECT_FALSE(is_surrogate_pair(0xDE00, 0xD83D));
  EXPECT_FALSE(is_surrogate_pair(0xD83D, 0xE000));
  EXPECT_FALSE(is_surrogate_pair(0xD7FF, 0xDC00));
}

}  // namespace
}  // namespace tamis
