#include "cli/console/display_text.hpp"

#include <gtest/gtest.h>

namespace tamis::cli {
namespace {

TEST(DisplayWidth, CountsCells) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("héhé"), 4U);
  EXPECT_EQ(display_width("基因"), 4U) << "wide";
  EXPECT_EQ(display_width("ｱ"), 1U) << "half-width";
  EXPECT_EQ(display_width("Ａ"), 2U) << "full-width";
  EXPECT_EQ(display_width("e\u0301"), 1U) << "combining";
  EXPECT_EQ(display_width("a\u200Bb"), 2U) << "no width at all";
  EXPECT_EQ(display_width("🧬"), 2U) << "emoji";
  EXPECT_EQ(display_width("█▏…"), 3U) << "ours";
  EXPECT_EQ(display_width("\033[38;5;45mab\033[0m"), 2U) << "styles";
  EXPECT_EQ(display_width("a\xFFz"), 3U) << "a broken byte, shown as one sign";
}

TEST(Fitted, CutsByCellsAndMarksIt) {
  EXPECT_EQ(fitted("abc", 5), "abc  ");
  EXPECT_EQ(fitted("abc", 3), "abc");
  EXPECT_EQ(fitted("abcd", 3), "ab…");
  EXPECT_EQ(fitted("基因組", 6), "基因組");
  EXPECT_EQ(fitted("基因組", 5), "基因…");
  EXPECT_EQ(fitted("基因組", 4), "基… ") << "half a character is no character";
  EXPECT_EQ(fitted("e\u0301e\u0301e\u0301", 2), "e\u0301…") << "marks stay with their letter";
  EXPECT_EQ(fitted("abc", 1), "…");
  EXPECT_EQ(fitted("abc", 0), "");
  for (std::size_t width = 0; width < 12; ++width)
    for (const char* const text : {"plain", "基因e\u0301🧬x", "\xFF\xFE", ""}) {
      EXPECT_EQ(display_width(fitted(text, width)), width) << text;
      EXPECT_EQ(display_width(aligned_right(text, width)), width) << text;
    }
}

TEST(Wrapped, BreaksBetweenWordsByCells) {
  EXPECT_EQ(wrapped("one two three", 2, 9), "one two\n  three");
  EXPECT_EQ(wrapped("基因 基因 基因", 0, 9), "基因 基因\n基因");
  EXPECT_EQ(wrapped("incomprehensibilities are long", 0, 10), "incomprehensibilities\nare long");
}

TEST(UnicodeBar, CountsInEighthsOfACell) {
  EXPECT_EQ(unicode_bar(0.0, 4), "");
  EXPECT_EQ(unicode_bar(1.0, 4), "████");
  EXPECT_EQ(unicode_bar(0.53125, 4), "██▏");
  EXPECT_EQ(unicode_bar(7.0, 2), "██");
}

}  // namespace
}  // namespace tamis::cli
