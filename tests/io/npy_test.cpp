#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files.hpp"

namespace tamis::test {
namespace {

template <class Item>
std::string packed(const std::vector<Item>& items, bool swapped = false) {
  std::string bytes;
  for (const Item item : items) {
    std::string one(reinterpret_cast<const char*>(&item), sizeof item);
    if (swapped) std::ranges::reverse(one);
    bytes += one;
  }
  return bytes;
}

std::string npy(const std::string& type, bool fortran, const std::string& shape,
                const std::string& data, int version = 1) {
  const std::string header = fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n",
                                         type, fortran ? "True" : "False", shape);
  std::string bytes = std::string(kNpyMagic) + static_cast<char>(version) + '\0';
  bytes += static_cast<char>(header.size());
  bytes.append(version == 1 ? 1 : 3, '\0');
  return bytes + header + data;
}

Table read_bytes(const std::string& bytes, const ReadOptions& options = {}) {
  const TemporaryDirectory directory;
  return read_table(directory.with("t.npy", bytes), options);
}

std::string refusal(const std::string& bytes) {
  return message_of<DataError>([&] { read_bytes(bytes); });
}

void expect_one_to_six(const Table& table) {
  ASSERT_EQ(table.rows(), 2);
  ASSERT_EQ(table.cols(), 3);
  for (Index i = 0; i < 2; ++i)
    for (Index r = 0; r < 3; ++r)
      EXPECT_EQ(test::value_at(table, i, r), static_cast<double>(3 * i + r + 1));
}

template <class Item>
void expect_both_orders(const std::string& letters) {
  for (const int version : {1, 2, 3})
    for (const bool swapped : {false, true}) {
      const std::string type = fmt::format("'{}{}'", swapped ? '>' : '<', letters);
      SCOPED_TRACE(fmt::format("{} version {}", type, version));
      const std::vector<Item> rows = {1, 2, 3, 4, 5, 6};
      const std::vector<Item> columns = {1, 4, 2, 5, 3, 6};
      expect_one_to_six(read_bytes(npy(type, false, "(2, 3)", packed(rows, swapped), version)));
      expect_one_to_six(read_bytes(npy(type, true, "(2, 3)", packed(columns, swapped), version)));
    }
}

TEST(NpyReader, ReadsEveryNumberTypeInEitherOrder) {
  expect_both_orders<float>("f4");
  expect_both_orders<double>("f8");
  expect_both_orders<std::int8_t>("i1");
  expect_both_orders<std::uint16_t>("u2");
  expect_both_orders<std::int32_t>("i4");
  expect_both_orders<std::int64_t>("i8");
  expect_both_orders<std::uint64_t>("u8");
}

TEST(NpyReader, KeepsFloat32AndWidensTheRest) {
  const std::string floats = npy("'<f4'", false, "(1, 2)", packed<float>({1, 2}));
  EXPECT_TRUE(read_bytes(floats).view().is_single());
  EXPECT_FALSE(
      read_bytes(npy("'|b1'", false, "(1, 2)", std::string("\1\0", 2))).view().is_single());
  const std::string doubles = npy("'<f8'", false, "(1, 2)", packed<double>({1, 2}));
  EXPECT_TRUE(read_bytes(doubles, {.precision = Precision::single}).view().is_single());
}

TEST(NpyReader, TakesLabelsFromAColumnWhenAsked) {
  const std::string bytes = npy("'<f8'", false, "(2, 3)", packed<double>({1, 2, 3, 4, 5, 6.5}));
  const Table table = read_bytes(bytes, {.label_column = "2", .id_column = "0"});
  EXPECT_EQ(table.label_texts, (std::vector<std::string>{"3", "6.5"}));
  EXPECT_EQ(table.sample_ids, (std::vector<std::string>{"1", "4"}));
  EXPECT_EQ(table.feature_names, std::vector<std::string>{"f1"});
  EXPECT_EQ(test::value_at(table, 1, 0), 5.0);
}

TEST(NpyReader, QuotesOfADamagedHeaderWhatIsPrintable) {
  EXPECT_TRUE(has(refusal(npy("'<f8'", false, "(6, \x1b[K\xff)", "")),
                  "has shape (6, \\x1b[K\uFFFD); a table needs two dimensions"));
}

TEST(NpyReader, RefusesOtherShapesAndTypes) {
  EXPECT_TRUE(has(refusal(npy("'<f8'", false, "(6,)", packed<double>({1, 2, 3, 4, 5, 6}))),
                  "shape (6,); a table needs two dimensions"));
  EXPECT_TRUE(has(refusal(npy("'|O'", false, "(1, 1)", "x")), "'|O' is not a table of numbers"));
  EXPECT_TRUE(has(refusal(npy("[('a', '<f8')]", false, "(1, 1)", "x")), "is not a table"));
  EXPECT_TRUE(has(refusal(npy("'<c16'", false, "(1, 1)", "x")), "is not a table of numbers"));
  EXPECT_TRUE(has(refusal(npy("'<f8'", false, "(0, 3)", "")), "is empty"));
  EXPECT_TRUE(has(refusal(npy("'<f8'", false, "(9999999999, 9999999999)", "")), "too large"));
}

TEST(NpyReader, SaysHowManyBytesOfATruncatedFileThereAre) {
  const std::string whole = npy("'<f4'", false, "(2, 3)", packed<float>({1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(
      has(refusal(whole.substr(0, whole.size() - 5)), "19 bytes of data found, 24 expected"));
  EXPECT_TRUE(has(refusal(whole.substr(0, 40)), "header is cut off"));
}

TEST(NpyReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  test::survive_damage(
      directory.with("t.npy", npy("'<f4'", false, "(2, 3)", packed<float>({1, 2, 3, 4, 5, 6}))));
}

TEST(NpyReader, RefusesNegativeExtents) {  // (-3, 2) was read as (3, 2)
  const std::string data = packed<double>({1, 2, 3, 4, 5, 6});
  for (const std::string shape : {"(-3, 2)", "(3, -2)", "(-3, -2)"})
    EXPECT_TRUE(has(refusal(npy("'<f8'", false, shape, data)),
                    "t.npy: the NPY array has the impossible shape " + shape));
}

}  // namespace
}  // namespace tamis::test
