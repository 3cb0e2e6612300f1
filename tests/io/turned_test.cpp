#include "io/turned.hpp"

#include "files.hpp"

namespace tamis {
namespace {

using Names = std::vector<std::string>;

Table genes() {
  Table table;
  table.data = DenseTable<double>{.rows = 2, .cols = 3, .values = {1, 2, 3, 4, 5, 6}};
  table.feature_names = {"s1", "s2", "s3"};
  table.sample_ids = {"TP53", "EGFR"};
  return table;
}

TEST(Turn, SwapsRowsAndColumnsWithTheirNames) {
  Table table = genes();
  turn(table);
  EXPECT_EQ(std::get<DenseTable<double>>(table.data).values, (Buffer<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(table.rows(), 3);
  EXPECT_EQ(table.feature_names, (Names{"TP53", "EGFR"}));
  EXPECT_EQ(table.sample_ids, (Names{"s1", "s2", "s3"}));
}

TEST(TurnValues, PutsEveryValueInItsPlace) {
  for (const Index rows : {1, 3, 64, 131})
    for (const Index cols : {1, 7, 17, 64, 130, 1030}) {
      SCOPED_TRACE(testing::Message() << rows << " x " << cols);
      Buffer<float> values(static_cast<std::size_t>(rows * cols));
      for (Index e = 0; e < rows * cols; ++e) values[e] = static_cast<float>(e);
      turn_values(values, rows, cols);
      for (Index i = 0; i < rows; ++i)
        for (Index r = 0; r < cols; ++r)
          ASSERT_EQ(values[r * rows + i], static_cast<float>(i * cols + r));
    }
}

/// A table of so many rows and columns that are called so.
template <class Id, class Name>
Table table_called(Index rows, Index cols, const Id& id, const Name& name) {
  Table table;
  table.data = DenseTable<double>{
      .rows = rows, .cols = cols, .values = Buffer<double>(static_cast<std::size_t>(rows * cols))};
  for (Index i = 0; i < rows; ++i) table.sample_ids.push_back(id(i));
  for (Index r = 0; r < cols; ++r) table.feature_names.push_back(name(r));
  return table;
}

auto numbered(const std::string& stem) {
  return [stem](Index i) { return stem + std::to_string(i + 1); };
}

/// "AB", "BC7", "CD", ...: of letters, some with a digit behind them.
std::string symbol(Index i) {
  const auto letter = [](Index k) { return static_cast<char>('A' + k % 26); };
  return std::string{letter(i), letter(i / 26), letter(7 * i)} +
         (i % 2 ? std::to_string(i % 9) : "");
}

std::string surname(Index i) {
  return "Name of " + std::string(1, static_cast<char>('a' + i % 26));
}

TEST(LooksTurned, WhereRowsAreCalledLikeGenesOrColumnsLikeSamples) {
  EXPECT_TRUE(looks_turned(table_called(300, 20, symbol, numbered("P"))));
  EXPECT_TRUE(looks_turned(table_called(300, 20, numbered("ENSG0000"), numbered("x"))));
  EXPECT_TRUE(looks_turned(table_called(60, 20, numbered("Gene_"), numbered("x"))));
  EXPECT_TRUE(looks_turned(table_called(300, 20, surname, numbered("GSM"))));
  EXPECT_TRUE(looks_turned(table_called(300, 20, surname, numbered("Control_"))));
  EXPECT_TRUE(looks_turned(table_called(1000, 20, surname, surname)));
}

TEST(LooksTurned, NotWhereRowsMayBeSamples) {
  EXPECT_FALSE(looks_turned(table_called(20, 300, symbol, numbered("S"))));
  EXPECT_FALSE(looks_turned(table_called(300, 20, numbered("S"), symbol)));
  EXPECT_FALSE(looks_turned(table_called(300, 20, numbered("PAT"), numbered("x"))));
  EXPECT_FALSE(looks_turned(table_called(300, 20, surname, numbered("question"))));
  EXPECT_FALSE(looks_turned(table_called(300, 20, numbered("patient"), numbered("s"))));
  Table labeled = table_called(300, 20, symbol, numbered("S"));
  labeled.label_texts.assign(300, "a");
  EXPECT_FALSE(looks_turned(labeled));
  Table cells = table_called(2000, 20, symbol, symbol);
  EXPECT_TRUE(looks_turned(cells));
  cells.format = {"h5ad"};
  EXPECT_FALSE(looks_turned(cells));
}

TEST(Turn, InventsNoIds) {
  Table table = genes();
  table.feature_names = {"f0", "f1", "f2"};
  table.sample_ids.clear();
  turn(table);
  EXPECT_EQ(table.feature_names, (Names{"f0", "f1"}));
  EXPECT_TRUE(table.sample_ids.empty());
}

TEST(Turn, NumbersFeaturesThatHaveOneName) {
  Table table = genes();
  table.sample_ids = {"TP53", "TP53"};
  turn(table);
  EXPECT_EQ(table.feature_names, (Names{"TP53", "TP53.1"}));
  EXPECT_EQ(table.notes.at(0).text,
            "a column has the name of another one: the second 'TP53' is called 'TP53.1'");
}

TEST(Turn, TwiceIsNotAtAll) {
  Table table;
  table.data = test::random_dense<float>(70, 41, 3);
  for (int r = 0; r < 41; ++r) table.feature_names.push_back("g" + std::to_string(r));
  for (int i = 0; i < 70; ++i) table.sample_ids.push_back("s" + std::to_string(i));
  const Table before = table;
  turn(table);
  EXPECT_EQ(test::value_at(table, 40, 69), test::value_at(before, 69, 40));
  turn(table);
  EXPECT_EQ(std::get<DenseTable<float>>(table.data).values,
            std::get<DenseTable<float>>(before.data).values);
  EXPECT_EQ(table.feature_names, before.feature_names);
  EXPECT_EQ(table.sample_ids, before.sample_ids);
}

TEST(Turn, KeepsASparseTableSparseAndItsColumnsAscending) {
  Table table;
  table.data = CsrTable<double>{
      .cols = 3, .offsets = {0, 2, 2, 4}, .columns = {0, 2, 1, 2}, .values = {1, 2, 3, 4}};
  table.feature_names = {"f0", "f1", "f2"};
  turn(table);
  const auto& sparse = std::get<CsrTable<double>>(table.data);
  EXPECT_EQ(sparse.cols, 3);
  EXPECT_EQ(sparse.offsets, (std::vector<Index>{0, 1, 2, 4}));
  EXPECT_EQ(sparse.columns, (std::vector<ColumnIndex>{0, 2, 0, 2}));
  EXPECT_EQ(sparse.values, (std::vector<double>{1, 3, 2, 4}));
}

TEST(TransposeOption, MeansTheColumnsThatRowsBecome) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.with("t.csv", "gene,y,s2\nTP53,1,2\nEGFR,3,4\nstage,1,2\n");
  const Table table = read_table(path, {.label_column = "stage", .transpose = true});
  EXPECT_EQ(table.feature_names, (Names{"TP53", "EGFR"}));
  EXPECT_EQ(table.sample_ids, (Names{"y", "s2"}));  // no name of a sample marks labels
  EXPECT_EQ(table.label_texts, (Names{"1", "2"}));
  EXPECT_EQ(test::value_at(table, 1, 0), 2.0);
  const Table part = read_table(path, {.drop = {"EGFR"}, .transpose = true});
  EXPECT_EQ(part.feature_names, (Names{"TP53", "stage"}));
}

TEST(TransposeOption, IsRefusedWhereTheFormatSaysWhatRowsAre) {
  const test::TemporaryDirectory directory;
  const std::string path =
      directory.with("t.gct", "#1.2\n2\t2\nName\tDescription\ts1\ts2\ng1\td\t1\t2\ng2\td\t3\t4\n");
  EXPECT_EQ(read_table(path).feature_names, (Names{"g1", "g2"}));
  EXPECT_TRUE(
      test::has(test::message_of<InvalidArgument>([&] { read_table(path, {.transpose = true}); }),
                "t.gct: its format says which are the features: it is not transposed"));
}

}  // namespace
}  // namespace tamis
