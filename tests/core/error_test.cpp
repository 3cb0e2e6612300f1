#include "tamis/core/error.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

const std::vector<std::string> kMethods{"cls", "constraint_score", "laplacian_score", "lsdf"};

TEST(NearestWord, FindsAWordWithATypingMistake) {
  EXPECT_EQ(nearest_word("laplacain_score", kMethods), "laplacian_score");
  EXPECT_EQ(nearest_word("ldsf", kMethods), "lsdf");
  EXPECT_EQ(nearest_word("cl", kMethods), "cls");
}

TEST(NearestWord, FindsTheOnlyWordThatBeginsSo) {
  EXPECT_EQ(nearest_word("laplacian", kMethods), "laplacian_score");
  EXPECT_EQ(nearest_word("con", kMethods), "constraint_score");
  EXPECT_EQ(nearest_word("la", kMethods), "laplacian_score");
}

TEST(NearestWord, FindsTheWordItself) { EXPECT_EQ(nearest_word("lsdf", kMethods), "lsdf"); }

TEST(NearestWord, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest_word("random_forest", kMethods), "");
  EXPECT_EQ(nearest_word("variance", {}), "");
}

TEST(NearestWord, PrefersTheFirstOfEquallyNearOnes) {
  EXPECT_EQ(nearest_word("cat", {"cut", "cot"}), "cut");
}

TEST(DidYouMean, IsAClauseForAMessageOrNothing) {
  EXPECT_EQ(did_you_mean("ldsf", kMethods), "; did you mean 'lsdf'?");
  EXPECT_EQ(did_you_mean("random_forest", kMethods), "");
}

TEST(Errors, AreAllCaughtAsErrorAndAsStandardExceptions) {
  EXPECT_THROW(throw InvalidArgument("a"), Error);
  EXPECT_THROW(throw DataError("b"), Error);
  EXPECT_THROW(throw IoError("c"), Error);
  EXPECT_THROW(throw Interrupted("d"), Error);
  EXPECT_THROW(throw DataError("e"), std::runtime_error);
}

TEST(Printable, LeavesTextsOfAllLanguagesAlone) {
  for (const char* const text :
       {"", "a b", "\u00e9", "\u00a0", "\u20ac", "\U0001F600", "\U0010FFFF", "\uD7FF", "\uE000"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ReplacesWhatWouldSteerATerminal) {
  EXPECT_EQ(printable("\x1b[2J\r\n\t\x7f"), "?[2J????");
  EXPECT_EQ(printable("\u009b2J"), "?2J");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
}

TEST(Printable, ReplacesEveryByteThatIsNoUtf8) {
  EXPECT_EQ(printable("caf\xe9"), "caf?");                  // Latin-1
  EXPECT_EQ(printable("\xc0\xaf|\xe0\x80\xaf"), "??|???");  // too long
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");              // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????");         // beyond the last character
  EXPECT_EQ(printable("\xe2\x82"), "??");                   // cut off
}

TEST(Errors, SayWhatIsPrintable) {
  EXPECT_STREQ(DataError("t.csv: '\x1b]0;caf\xe9 \x07'").what(), "t.csv: '?]0;caf? ?'");
}

}  // namespace
}  // namespace tamis
