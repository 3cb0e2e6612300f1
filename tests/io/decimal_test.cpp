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

template <class T>
void expect_equal_to_from_chars(const std::string& text) {
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

}  // namespace
}  // namespace tamis
