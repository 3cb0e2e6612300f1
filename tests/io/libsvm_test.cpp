#include "io/libsvm.hpp"

#include "files.hpp"

namespace tamis::test {
namespace {

using Names = std::vector<std::string>;

Table read_text(const std::string& text, const ReadOptions& options = {}) {
  const TemporaryDirectory directory;
  return read_table(directory.with("table.txt", text), options);
}

std::string refusal(const std::string& text) {
  return message_of<DataError>([&] { read_text(text); });
}

TEST(LibsvmReader, StaysSparse) {
  const Table table = read_text("# made by hand\n+1 1:0.5 4:-2 # note\r\n-1 qid:3 2:1e3\n+1\n");
  const auto& data = std::get<CsrTable<double>>(table.data);
  EXPECT_EQ(data.cols, 4);
  EXPECT_EQ(data.offsets, (std::vector<Index>{0, 2, 3, 3}));
  EXPECT_EQ(data.columns, (std::vector<ColumnIndex>{0, 3, 1}));
  EXPECT_EQ(data.values, (std::vector<double>{0.5, -2, 1000}));
  EXPECT_EQ(table.label_texts, (Names{"+1", "-1", "+1"}));
  EXPECT_EQ(table.feature_names, (Names{"f0", "f1", "f2", "f3"}));
  EXPECT_EQ(table.format, Format::libsvm);
}

TEST(LibsvmReader, ReadsFilesThatTakeSeveralPieces) {
  constexpr Index kRows = 40'000;
  std::string text;
  for (Index i = 0; i < kRows; ++i)
    text += std::to_string(i % 3) + " " + std::to_string(i % 7 + 1) + ":" + std::to_string(i + 1) +
            " 9:0.25 12:1e-3          \n";
  ASSERT_GT(text.size(), std::size_t{1} << 20);
  const Table table = read_text(text);
  ASSERT_EQ(table.rows(), kRows);
  for (Index i = 0; i < kRows; ++i) {
    ASSERT_EQ(value_at(table, i, i % 7), static_cast<double>(i + 1));
    ASSERT_EQ(value_at(table, i, 8), 0.25);
    ASSERT_EQ(table.label_texts[i], std::to_string(i % 3));
  }
}

TEST(LibsvmReader, ReadsRowsWithoutLabels) {
  EXPECT_TRUE(read_text("1:2 3:4\n2:5\n").label_texts.empty());
  EXPECT_EQ(read_text("1:2 3:4\nx 2:5\n").label_texts, (Names{"", "x"}));
}

TEST(LibsvmReader, TrustsTheExtensionWhereTheFirstRowIsAllZero) {
  const TemporaryDirectory directory;
  EXPECT_EQ(read_table(directory.with("t.svm", "1\n-1 2:3\n")).format, Format::libsvm);
}

TEST(LibsvmReader, RefusesIndexZeroNamingTheLine) {
  EXPECT_TRUE(has(refusal("1 1:2\n1 0:3\n"), "table.txt:2: index 0: indices count from 1"));
}

TEST(LibsvmReader, RefusesIndicesThatDoNotAscend) {
  EXPECT_TRUE(has(refusal("1 1:2\n\n1 3:3 2:1\n"), "table.txt:3: index 2 follows index 3"));
  EXPECT_TRUE(has(refusal("1 1:2 1:3\n"), "table.txt:1: index 1 follows index 1"));
}

TEST(LibsvmReader, RefusesWordsThatAreNoEntries) {
  EXPECT_TRUE(has(refusal("1 1:2\n1 2:x\n"), "table.txt:2: '2:x' is not index:value"));
  EXPECT_TRUE(has(refusal("1 1:2\n1 hello\n"), "table.txt:2: 'hello' is not index:value"));
  EXPECT_TRUE(has(refusal("1 1:2\n1 99999999999999999999:1\n"), "is larger than"));
}

TEST(LibsvmReader, AppliesTheOptionsToSparseColumns) {
  const Table table = read_text("1 1:7 2:5\n1 3:6\n", {.label_column = "1", .drop = {"f0"}});
  EXPECT_EQ(table.feature_names, Names{"f2"});
  EXPECT_EQ(table.label_texts, (Names{"5", "0"}));
  EXPECT_EQ(test::value_at(table, 1, 0), 6.0);
  EXPECT_TRUE(read_text("1 1:7\n", {.label_column = "none"}).label_texts.empty());
  EXPECT_TRUE(read_text("1 1:7\n", {.precision = Precision::single}).view().is_single());
}

TEST(LibsvmReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  test::survive_damage(directory.with("t.svm", "1 1:0.5 4:2\n-1 2:1e3 3:1\n"));
}

TEST(LibsvmWriter, RefusesLabelsThatTheFormatCannotHold) {
  const TemporaryDirectory directory;
  Table table = read_text("a,class\n1,two words\n");
  EXPECT_TRUE(has(
      message_of<DataError>([&] { write_libsvm(directory.file("t.svm"), table, all_indices(1)); }),
      "'two words'"));
  EXPECT_TRUE(directory.is_empty());
}

TEST(LibsvmReader, RefusesColumnsBeyondWhatTheTextIsWorthUnlessItIsTrusted) {
  const std::string text = "1 1:1\n2 100000000:1\n";  // cost a minute and 4.8 GB
  EXPECT_TRUE(has(refusal(text),
                  "table.txt:2: index 100000000 makes a table of as many columns out of 20 bytes"));
  EXPECT_EQ(test::remedy_of<DataError>([&] { read_text(text); }).action,
            Remedy::Action::trust_file);
  EXPECT_EQ(read_text("1 1048576:1\n").cols(), Index{1} << 20);
  EXPECT_TRUE(has(refusal("1 1048577:1\n"), "index 1048577 makes a table"));
  EXPECT_EQ(read_text("1 1048577:1\n", {.is_trusted = true}).cols(), (Index{1} << 20) + 1);
}

TEST(LibsvmReader, TakesAsManyColumnsAsTheTextHasBytes) {
  const std::string text = "1 2000000:1 #" + std::string(2'000'000, ' ') + "end";
  EXPECT_EQ(read_text(text).cols(), 2'000'000);
}

}  // namespace
}  // namespace tamis::test
