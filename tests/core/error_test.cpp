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

TEST(Errors, SayWhatIsPrintable) {
  EXPECT_STREQ(DataError("t.csv: '\x1b]0;caf\xe9 \x07'").what(),
               "t.csv: '\\x1b]0;caf\uFFFD \\x07'");
}

}  // namespace
}  // namespace tamis
