#include "tamis/core/printable.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

TEST(Printable, LeavesTextsOfAllLanguagesAlone) {
  for (const char* const text : {"", "a b", "\u00e9", "\u00a0", "\u20ac", "\U0001F600",
                                 "\U0010FFFF", "\uD7FF", "\uE000", "基因 e\u0301 \\t"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsWhatWouldMoveTheCursor) {
  EXPECT_EQ(printable("a\tb\nc\rd"), "a\\tb\\nc\\rd");
  EXPECT_EQ(printable("\033[2J\a\x7F"), "\\x1b[2J\\x07\\x7f");
  EXPECT_EQ(printable("a\u009Bb"), "a\\x9bb") << "CSI in one character";
  EXPECT_EQ(printable("a\u202Eb"), "a\\u202eb") << "would turn what follows around";
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, ReplacesEveryByteThatIsNoUtf8) {
  const auto replaced = [](int count) {
    std::string signs;
    for (int i = 0; i < count; ++i) signs += "\uFFFD";
    return signs;
  };
  EXPECT_EQ(printable("caf\xe9"), "caf\uFFFD");           // Latin-1
  EXPECT_EQ(printable("\xc0\xaf"), replaced(2));          // too long
  EXPECT_EQ(printable("\xe0\x80\xaf"), replaced(3));      // too long
  EXPECT_EQ(printable("\xed\xa0\x80"), replaced(3));      // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), replaced(4));  // beyond the last character
  EXPECT_EQ(printable("\xe2\x82"), replaced(2));          // cut off
}

}  // namespace
}  // namespace tamis
