#include "io/decimal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <string>

#include "core/random.hpp"

namespace tamis {
namespace {

std::string random_digits(RandomStream& random, Index count) {
  std::string digits;
  for (; count > 0; --count) digits += static_cast<char>('0' + random.below(10));
  return digits;
}

std::string random_decimal(RandomStream& random) {
  const char* const sign = random.below(2) == 0 ? "-" : "";
  const std::string whole = random_digits(random, 1 + random.below(6));
  if (random.below(4) == 0) return fmt::format("{}{}", sign, whole);
  return fmt::format("{}{}.{}", sign, whole, random_digits(random, random.below(18)));
}

/// Also of a cell whose end is known: what it reads is what std::from_chars reads.
template <class T>
void expect_short_equal_to_from_chars(const std::string& text, bool is_expected) {
  const std::string padded = text + ",1.3456789012345678";
  T fast = 7;
  T exact = 7;
  const bool is_read = read_short_decimal(padded.data(), padded.data() + text.size(), fast);
  EXPECT_EQ(is_read || !is_expected, true) << text;
  if (!is_read) return;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), exact);
  EXPECT_TRUE(code == std::errc{} && stop == text.data() + text.size()) << text;
  EXPECT_EQ(fast, exact) << text;
  EXPECT_EQ(std::signbit(fast), std::signbit(exact)) << text;
}

template <class T>
void expect_equal_to_from_chars(const std::string& text) {
  expect_short_equal_to_from_chars<T>(text, /*is_expected=*/false);
  const std::string padded = text + ",12345678";
  T fast = 7;
  T exact = 7;
  const char* const stop = read_decimal(padded.data(), padded.data() + padded.size(), fast);
  if (stop == nullptr) return;
  std::from_chars(text.data(), text.data() + text.size(), exact);
  EXPECT_EQ(stop - padded.data(), std::ssize(text)) << text;
  EXPECT_EQ(fast, exact) << text;
  EXPECT_EQ(std::signbit(fast), std::signbit(exact)) << text;
}

TEST(Decimal, EqualsFromCharsOnRandomNumbers) {
  RandomStream random(1);
  for (int trial = 0; trial < 200000; ++trial) {
    const std::string text = random_decimal(random);
    expect_equal_to_from_chars<double>(text);
    expect_equal_to_from_chars<float>(text);
  }
}

TEST(Decimal, EqualsFromCharsNextToTheMiddleOfTwoNumbers) {
  RandomStream random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const std::uint64_t whole = (std::uint64_t{1} << 53) + (random.bits() >> 11);
    expect_equal_to_from_chars<double>(std::to_string(whole));
    const std::uint64_t half = (std::uint64_t{1} << 52) + (random.bits() >> 12);
    for (const char* fraction : {".5", ".25", ".75", ".499", ".501"})
      expect_equal_to_from_chars<double>(std::to_string(half) + fraction);
    const std::uint64_t small = (std::uint64_t{1} << 24) + (random.bits() >> 40);
    expect_equal_to_from_chars<float>(std::to_string(small));
  }
}

TEST(Decimal, LeavesOtherFormsToFromChars) {
  double value = 0.0;
  for (const std::string text : {"1e5,12345678", "x,1234567890", "+1,123456789", ".5,123456789",
                                 "12345678901234567890,12345678", "1,2"})
    EXPECT_EQ(read_decimal(text.data(), text.data() + text.size(), value), nullptr) << text;
}

TEST(Decimal, ReadsTheUsualNumbersItself) {
  double value = 0.0;
  for (const std::string text : {"0,12345678", "-0.12573022346,1234567", "150.,12345678"})
    EXPECT_NE(read_decimal(text.data(), text.data() + text.size(), value), nullptr) << text;
}

TEST(ShortDecimal, ReadsTheUsualCellsItself) {
  for (const std::string text :
       {"0", "-0", "-0.000000", "7", "42", "0.5", "-1.234567", ".5", "5.", "-12345678", "12345678",
        "123456789", "-0.12345678", "3.14159265358979", "1234567890123456", "0000000000000001"}) {
    expect_short_equal_to_from_chars<double>(text, /*is_expected=*/true);
    expect_short_equal_to_from_chars<float>(text, /*is_expected=*/false);
  }
}

TEST(ShortDecimal, LeavesOtherFormsAlone) {
  double value = 0.0;
  for (const std::string text : {"",
                                 "-",
                                 ".",
                                 "-.",
                                 "+1",
                                 "--1",
                                 "1-",
                                 "1e5",
                                 "1.2.3",
                                 "1..2",
                                 "x",
                                 "nan",
                                 "1,5",
                                 " 1",
                                 "1 ",
                                 "1/2",
                                 "1:2",
                                 "12345678x",
                                 "x12345678",
                                 "1.2345678901.2",
                                 "12345678901234567"}) {
    const std::string padded = text + ",1.3456789012345678";
    EXPECT_FALSE(read_short_decimal(padded.data(), padded.data() + text.size(), value)) << text;
  }
}

TEST(ShortDecimal, NeverReadsWhatFromCharsDoesNot) {
  RandomStream random(3);
  const std::string characters = "0123456789.-+eE,xX \x7F\x80\xFF";
  for (int trial = 0; trial < 200000; ++trial) {
    std::string text;
    for (Index length = random.below(18); length > 0; --length)
      text += characters[static_cast<std::size_t>(
          random.below(random.below(3) == 0 ? std::ssize(characters) : 11))];
    expect_short_equal_to_from_chars<double>(text, /*is_expected=*/false);
    expect_short_equal_to_from_chars<float>(text, /*is_expected=*/false);
  }
}

}  // namespace
}  // namespace tamis
