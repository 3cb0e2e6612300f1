#include "io/matrix_market.hpp"

#include <fmt/format.h>

#include "files.hpp"
#include "reading.hpp"

namespace tamis::test {
namespace {

std::vector<std::vector<double>> values_of(const Table& table) {
  std::vector<std::vector<double>> rows;
  for (Index i = 0; i < table.rows(); ++i) {
    rows.emplace_back();
    for (Index r = 0; r < table.cols(); ++r) rows.back().push_back(value_at(table, i, r));
  }
  return rows;
}

using Values = std::vector<std::vector<double>>;
const std::string kCoordinates = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarketReader, ReadsCoordinatesInAnyOrderIntoASparseTable) {
  const Table table =
      read_content(kCoordinates + "% a comment\n\n2 3 4\n2 3 4.5\n1 1 -1e2\n2 1 7\n1 3 0\n");
  EXPECT_TRUE(table.view().is_sparse());
  EXPECT_EQ(values_of(table), (Values{{-100, 0, 0}, {7, 0, 4.5}}));
  EXPECT_EQ(std::get<CsrTable<double>>(table.data).columns, (std::vector<ColumnIndex>{0, 0, 2}));
  EXPECT_EQ(table.feature_names, (std::vector<std::string>{"f0", "f1", "f2"}));
  EXPECT_EQ(table.format, Format{"matrix_market"});
}

TEST(MatrixMarketReader, ReadsCoordinatesOfAFileThatTakesSeveralPieces) {
  constexpr Index kRows = 700;
  constexpr Index kCols = 300;
  std::string text = kCoordinates + fmt::format("{} {} {}\n", kRows, kCols, kRows * kCols / 2);
  for (Index r = 0; r < kCols; ++r)
    for (Index i = r % 2; i < kRows; i += 2)
      text += fmt::format("{} {} {}\n", i + 1, r + 1, i * kCols + r + 1);
  ASSERT_GT(text.size(), std::size_t{1} << 20);
  const TemporaryDirectory directory;
  const Table table = read_table(directory.with("t.mtx", text));
  ASSERT_EQ(table.rows(), kRows);
  for (Index i = 0; i < kRows; ++i)
    for (Index r = 0; r < kCols; ++r)
      ASSERT_EQ(value_at(table, i, r),
                (i + r) % 2 == 0 ? static_cast<double>(i * kCols + r + 1) : 0.0);
}

TEST(MatrixMarketReader, AddsUpEntriesOfOnePlace) {  // as SciPy does
  EXPECT_EQ(values_of(read_content(kCoordinates + "1 2 4\n1 2 3\n1 1 1\n1 2 4\n1 1 -1\n")),
            (Values{{0, 7}}));
}

TEST(MatrixMarketReader, ReadsIntegersPatternsAndEveryCaseOfLetters) {
  EXPECT_EQ(
      values_of(read_content("%%MatrixMarket Matrix Coordinate INTEGER General\n1 2 1\n1 2 -3\n")),
      (Values{{0, -3}}));
  EXPECT_EQ(values_of(read_content(
                "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n")),
            (Values{{0, 1}, {1, 0}}));
}

TEST(MatrixMarketReader, CompletesSymmetricMatrices) {
  EXPECT_EQ(values_of(read_content(
                "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 5\n2 1 3\n")),
            (Values{{5, 3}, {3, 0}}));
  EXPECT_EQ(values_of(read_content("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n")),
            (Values{{1, 2}, {2, 3}}));
  EXPECT_EQ(values_of(read_content("%%MatrixMarket matrix array real skew-symmetric\n2 2\n4\n")),
            (Values{{0, -4}, {4, 0}}));
}

TEST(MatrixMarketReader, ReadsAnArrayByColumnsIntoADenseTable) {
  const Table table =
      read_content("%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\nnan\n");
  EXPECT_FALSE(table.view().is_sparse());
  EXPECT_EQ(value_at(table, 0, 2), 3.0);
  EXPECT_EQ(value_at(table, 1, 0), 4.0);
  EXPECT_TRUE(std::isnan(value_at(table, 1, 2)));
}

TEST(MatrixMarketReader, TakesLabelsFromAColumnWhenAsked) {
  const Table table = read_content("%%MatrixMarket matrix array real general\n2 2\n1\n2\n5\n6\n",
                                   {.label_column = "1"});
  EXPECT_EQ(table.label_texts, (std::vector<std::string>{"5", "6"}));
  EXPECT_EQ(table.cols(), 1);
}

TEST(MatrixMarketReader, SaysWhichLineIsWrong) {
  EXPECT_EQ(refusal_of(kCoordinates + "2 2 1\n3 1 5\n"),
            ":3: entry 3 1 is outside of 2 x 2; rows and columns count from 1");
  EXPECT_EQ(refusal_of(kCoordinates + "2 2 1\n0 1 5\n"),
            ":3: entry 0 1 is outside of 2 x 2; rows and columns count from 1");
  EXPECT_EQ(refusal_of(kCoordinates + "2 2 1\n1 1 x\n"), ":3: 'x' is not a number");
  EXPECT_EQ(refusal_of(kCoordinates + "2 2 1\n1 -1 2\n"), ":3: '-1' is not a whole number");
  EXPECT_EQ(refusal_of(kCoordinates + "2 2 1\n1 1 2 3\n"), ":3: more than one entry");
  EXPECT_EQ(refusal_of(kCoordinates + "2 2\n"), ":2: '' is not a whole number");
  EXPECT_EQ(refusal_of(kCoordinates + "0 2 0\n"), ":2: a matrix of 0 x 2 is empty");
  EXPECT_EQ(refusal_of(kCoordinates + "2 2 3\n1 1 1\n2 2 2\n"),
            ":5: 3 entries are promised, 2 found");
  EXPECT_EQ(refusal_of(kCoordinates + "2 2 1\n1 1 1\n2 2 2\n"),
            ":4: more than the 1 entries promised");
  EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n"),
            ":1: entries are 'complex'; real, integer and, as coordinates, pattern are read");
  EXPECT_EQ(refusal_of("%%MatrixMarket vector array real general\n1\n1\n"),
            ":1: 'vector array' is neither a matrix of coordinates nor an array");
  EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n"),
            ":1: the symmetry is 'hermitian'; general, symmetric and skew-symmetric are read");
  EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate real symmetric\n1 2 1\n1 1 1\n"),
            ":2: a symmetric matrix of 1 x 2 is impossible");
}

TEST(MatrixMarketReader, RefusesSizesThatLie) {
  EXPECT_TRUE(has(refusal_of(kCoordinates + "2 2 99999999999\n1 1 1\n"),
                  ":2: 99999999999 entries are promised, more than "));
  EXPECT_TRUE(has(refusal_of("%%MatrixMarket matrix array real general\n99999 99999\n1\n"),
                  ":2: 9999800001 entries are promised, more than "));
  EXPECT_TRUE(has(refusal_of(kCoordinates + "9999999 2 1\n1 1 1\n"),
                  ": makes a table of 9999999 x 2 out of "));
  EXPECT_EQ(read_content(kCoordinates + "2 9999999 1\n1 1 1\n", {.is_trusted = true}).cols(),
            9999999);
  EXPECT_EQ(refusal_of(kCoordinates + "2 2147483648 1\n1 1 1\n"),
            ": a table of 2 x 2147483648 is too large; those of its kind have at most 2147483647 "
            "rows and columns");
}

TEST(MatrixMarketReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  test::survive_damage(directory.with("t.mtx", kCoordinates + "2 3 3\n1 1 1.5\n2 3 2\n1 2 -7e1\n"));
  test::survive_damage(
      directory.with("t.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"));
}

}  // namespace
}  // namespace tamis::test
