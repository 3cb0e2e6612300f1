#include "io/number_style.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tamis {
namespace {

constexpr NumberStyle kPlain{'.', false};
constexpr NumberStyle kPointGroups{'.', true};
constexpr NumberStyle kComma{',', false};
constexpr NumberStyle kCommaGroups{',', true};

std::optional<double> value(std::string_view text, NumberStyle style) {
  double number = 0.0;
  return parse_cell(text, style, number) ? std::optional(number) : std::nullopt;
}

TEST(ParseCell, ReadsNumbersOfItsStyleOnly) {
  EXPECT_EQ(value("1.5", kPlain), 1.5);
  EXPECT_EQ(value("1,5", kPlain), std::nullopt);
  EXPECT_EQ(value("1,5", kComma), 1.5);
  EXPECT_EQ(value("-1,5e-3", kComma), -1.5e-3);
  EXPECT_EQ(value("+,5", kComma), 0.5);
  EXPECT_EQ(value("1.5", kComma), std::nullopt);
  EXPECT_EQ(value("1,234.5", kPointGroups), 1234.5);
  EXPECT_EQ(value("-1.234.567,5", kCommaGroups), -1234567.5);
}

TEST(ParseCell, TakesGroupsOfThreeDigitsOnly) {
  for (const char* const text : {"1 234", "1'234", "1\u00A0234", "1\u202F234", "1\u20191234"}) {
    const bool is_right = std::string_view(text) != "1\u20191234";
    EXPECT_EQ(value(text, kPointGroups), is_right ? std::optional(1234.0) : std::nullopt) << text;
    EXPECT_EQ(value(text, kPlain), std::nullopt) << text;
  }
  for (const char* const text : {"12,34", "1234,567", "0,123", ",123", "1,234 567", "1,,234", "1,"})
    EXPECT_EQ(value(text, kPointGroups), std::nullopt) << text;
}

TEST(ParseCell, KnowsTruthsAndMissingValuesInEveryStyle) {
  for (const NumberStyle style : {kPlain, kPointGroups, kComma, kCommaGroups}) {
    EXPECT_EQ(value("TRUE", style), 1.0);
    EXPECT_EQ(value("False", style), 0.0);
    EXPECT_TRUE(std::isnan(*value("-", style)));
    EXPECT_TRUE(std::isnan(*value(".", style)));
    EXPECT_TRUE(std::isnan(*value("", style)));
    EXPECT_EQ(value("yes", style), std::nullopt);
    EXPECT_EQ(value("inf", style), HUGE_VAL);
    EXPECT_EQ(value("+", style), std::nullopt);
    EXPECT_EQ(value("+-", style), std::nullopt);
  }
}

TEST(ParseCell, TakesTheMinusOfPrintedTablesForOne) {
  EXPECT_EQ(value("\u22121.5", kPlain), -1.5);
  EXPECT_EQ(value("\u2212,5", kComma), -0.5);
  EXPECT_EQ(value("\u22121 234,5e3", kCommaGroups), -1234.5e3);
  for (const char* const text :
       {"\u2212", "\u2212.", "\u2212-1", "\u2212\u22121", "\u2212true", "1\u2212"})
    EXPECT_EQ(value(text, kPlain), std::nullopt) << text;
}

StyleVotes votes_of(const std::vector<std::string>& cells) {
  StyleVotes votes;
  for (const std::string& cell : cells) votes.see(cell);
  return votes;
}

TEST(StyleVotes, TakesTheStyleThatReadsMost) {
  EXPECT_EQ(votes_of({"1.5", "2", "x"}).winner(), kPlain);
  EXPECT_EQ(votes_of({"1.234", "5.678"}).winner(), kPlain);  // though they may be thousands
  EXPECT_EQ(votes_of({"1,5", "2", "x"}).winner(), kComma);
  EXPECT_EQ(votes_of({"1,234", "1.5"}).winner(), kPointGroups);
  EXPECT_EQ(votes_of({"1,234", "1,5"}).winner(), kComma);
  EXPECT_EQ(votes_of({"1.234", "1,5"}).winner(), kCommaGroups);
  EXPECT_EQ(votes_of({"1,5", "1 234"}).winner(), kCommaGroups);
  EXPECT_EQ(votes_of({"7", "1,5"}).example(), "1,5");
}

TEST(StyleVotes, LeavesUndecidedWhatMayBeTwoNumbers) {
  EXPECT_EQ(votes_of({"1,234", "5,678"}).undecided(), "1,234");
  EXPECT_EQ(votes_of({"1,234", "5,67"}).undecided(), std::nullopt);
  EXPECT_EQ(votes_of({"1 234", "5 678"}).undecided(), std::nullopt);  // the same either way
  EXPECT_EQ(votes_of({"1.234"}).undecided(), std::nullopt);
  EXPECT_EQ(votes_of({}).undecided(), std::nullopt);
}

}  // namespace
}  // namespace tamis
