#include "io/short_decimals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <string>
#include <vector>

#include "core/cpu.hpp"
#include "core/random.hpp"
#include "io/decimal.hpp"
#include "io/field_ends.hpp"

namespace tamis {
namespace {

template <class T>
using Bits = std::conditional_t<std::same_as<T, double>, std::uint64_t, std::uint32_t>;

/// Reads a record of such fields and expects those that were read to be what std::from_chars reads.
/// Returns how many.
template <class T>
Index read_as_from_chars(const std::vector<std::string>& fields) {
  const std::string record = fmt::format("{}", fmt::join(fields, ","));
  const std::string text = record + std::string(kShortDecimalReach, '\n');
  const Index count = std::ssize(fields);
  FieldEnds ends(count);
  EXPECT_TRUE(ends.find({text.data(), record.size()}, text.data() + text.size(), ','));
  std::vector<T> values(fields.size());
  const Index read = read_short_decimals(text.data(), ends.from(0), count, values.data());
  for (Index f = 0; f < read; ++f) {
    T exact = 0;
    const char* const end = fields[f].data() + fields[f].size();
    const auto [stop, code] = std::from_chars(fields[f].data(), end, exact);
    EXPECT_TRUE(code == std::errc{} && stop == end) << fields[f];
    EXPECT_EQ(std::bit_cast<Bits<T>>(values[f]), std::bit_cast<Bits<T>>(exact)) << fields[f];
  }
  return read;
}

std::string random_decimal(RandomStream& random, Index longest) {
  const Index size = 1 + random.below(longest);
  std::string text;
  for (Index k = 0; k < size; ++k) text += static_cast<char>('0' + random.below(10));
  if (size > 1 && random.below(5) > 0) text[1 + random.below(size - 1)] = '.';
  return (random.below(2) == 0 ? "-" : "") + text;
}

class ShortDecimals : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    if (GetParam() > best_target()) GTEST_SKIP();
    limit_.emplace(GetParam());
  }
  /// How many of so many such numbers are read.
  static Index readable(Index fields) {
    const bool reads_some = current_target() != Target::baseline;
    return reads_some ? fields / kDecimalsAtOnce * kDecimalsAtOnce : 0;
  }

 private:
  std::optional<TargetLimit> limit_;
};
INSTANTIATE_TEST_SUITE_P(Every, ShortDecimals,
                         testing::Values(Target::baseline, Target::avx2, Target::avx512));

TEST_P(ShortDecimals, AreAllReadAndEqualFromChars) {
  RandomStream random(1);
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<std::string> fields(static_cast<std::size_t>(1 + random.below(30)));
    for (std::string& field : fields) field = random_decimal(random, 8);
    EXPECT_EQ(read_as_from_chars<double>(fields), readable(std::ssize(fields)));
    EXPECT_EQ(read_as_from_chars<float>(fields), readable(std::ssize(fields)));
  }
}

TEST_P(ShortDecimals, AreReadAsDoublesAsFarAsTheseHoldTheirDigits) {
  RandomStream random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    std::vector<std::string> fields(static_cast<std::size_t>(1 + random.below(30)));
    const Index longest = 1 + random.below(15);
    for (std::string& field : fields) field = random_decimal(random, longest);
    EXPECT_EQ(read_as_from_chars<double>(fields), readable(std::ssize(fields)));
    for (std::string& field : fields) field = random_decimal(random, 18);
    read_as_from_chars<double>(fields);
    read_as_from_chars<float>(fields);
  }
}

TEST_P(ShortDecimals, AreLeftAloneWhereDoublesDoNotHoldTheirDigits) {
  const auto four = [](const std::string& text) { return std::vector<std::string>(4, text); };
  for (const std::string text : {"900719925474099.", "900719925474.099", "9007199254740991",
                                 "-9007199254740991", "0.00000000000001", "0000000000000000"})
    EXPECT_EQ(read_as_from_chars<double>(four(text)), readable(4)) << text;
  for (const std::string text : {"900719925474100.", "9007199254740992", "9007199254740993",
                                 "9.99999999999999", "12345678901234567", "0.000000000000001"})
    EXPECT_EQ(read_as_from_chars<double>(four(text)), 0) << text;
}

TEST_P(ShortDecimals, AreReadAtEveryPlaceOfThePoint) {
  const std::vector<std::string> fields = {"0",        "-0",        "7",        "-7",
                                           "0.000000", "-0.000000", "99999999", "-99999999",
                                           "9999999.", "-9999999.", "1.234567", "-0.00001",
                                           "12.34567", "123.4567",  "12345.67", "16777217"};
  EXPECT_EQ(read_as_from_chars<double>(fields), readable(std::ssize(fields)));
  EXPECT_EQ(read_as_from_chars<float>(fields), readable(std::ssize(fields)));
}

TEST_P(ShortDecimals, StopBeforeWhatIsSomethingElse) {
  for (const std::string other : {"",
                                  "-",
                                  ".",
                                  "-.",
                                  ".5",
                                  ".1234567",
                                  "-.5",
                                  "+1",
                                  "--1",
                                  "1-",
                                  "1e5",
                                  "1.2.3",
                                  "1..2",
                                  "x",
                                  "nan",
                                  " 1",
                                  "1 ",
                                  "1/2",
                                  "1:2",
                                  "1\xB2",
                                  "\xFF",
                                  "1.234567890.12",
                                  "12345678901.2.3",
                                  "1.2345678x",
                                  "12345678x.1",
                                  "12345678 ",
                                  "x2345678.1",
                                  "1234567890123456789"})
    for (std::size_t place = 0; place < 8; ++place) {
      std::vector<std::string> fields(8, "1.5");
      fields[place] = other;
      EXPECT_LE(read_as_from_chars<double>(fields), place < 4 ? 0 : 4) << other;
    }
}

TEST_P(ShortDecimals, AreNeverWhatFromCharsDoesNotRead) {
  RandomStream random(3);
  const std::string characters = "0123456789.-+eE;xX \x7F\x80\xFF";
  for (int trial = 0; trial < 100000; ++trial) {
    std::vector<std::string> fields(8, "-2.5");
    std::string& text = fields[static_cast<std::size_t>(random.below(8))] = "";
    for (Index length = random.below(19); length > 0; --length)
      text += characters[static_cast<std::size_t>(
          random.below(random.below(3) == 0 ? std::ssize(characters) : 12))];
    read_as_from_chars<double>(fields);
    read_as_from_chars<float>(fields);
  }
}

}  // namespace
}  // namespace tamis
