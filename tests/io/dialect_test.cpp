#include "io/dialect.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

char found(std::string_view text) { return detect_delimiter(text, kTableDelimiters); }

TEST(DetectDelimiter, TakesWhatOccursEquallyOften) {
  EXPECT_EQ(found("a,b;c\n1,2\n3,4\n"), ',');
  EXPECT_EQ(found("a;b\n1,5;2,5\n3;4,5\n"), ';');
  EXPECT_EQ(found("a|b\n1|2\n"), '|');
  EXPECT_EQ(found("one column\n1\n2\n"), ',');
}

TEST(DetectDelimiter, LooksForNumbersWhereSeveralDo) {
  EXPECT_EQ(found("1,5 2,5\n3,5 4,5\n"), ' ');
  EXPECT_EQ(found("1,5\t2,5\n3,5\t4,5\n"), '\t');
  EXPECT_EQ(found("1, 2\n3, 4\n"), ',');
  EXPECT_EQ(found("x y, z\nu v, w\n"), ',');
}

TEST(DetectDelimiter, MindsNeitherQuotesNorCommentsNorAShortHeader) {
  EXPECT_EQ(found("\"a;b\",c\n\"1;\n;2\",3\n"), ',');
  EXPECT_EQ(found("# a;b;c;d\n1,2\n3,4\n"), ',');
  EXPECT_EQ(found("a b\nr1 1 2\nr2 3 4\n"), ' ');
}

TEST(DetectDelimiter, OfListsKeepsBlanksWithinTexts) {
  EXPECT_EQ(detect_delimiter("first class\nsecond class\n", kListDelimiters), ',');
  EXPECT_EQ(detect_delimiter("s1\tfirst class\ns2\tsecond class\n", kListDelimiters), '\t');
}

}  // namespace
}  // namespace tamis
