#include "io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "files.hpp"
#include "tamis/core/parallel.hpp"

namespace tamis::test {
namespace {

using Names = std::vector<std::string>;

Table read_text(const std::string& text, const ReadOptions& options = {}) {
  const TemporaryDirectory directory;
  return read_table(directory.with("table.csv", text), options);
}

std::string refusal(const std::string& text, const ReadOptions& options = {}) {
  return message_of<DataError>([&] { read_text(text, options); });
}

TEST(CsvReader, ReadsNumbersAndLabels) {
  const Table table = read_text("a,b,class\n1,2.5,x\n-3,4e2,y\n");
  EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
  EXPECT_EQ(table.label_texts, (Names{"x", "y"}));
  EXPECT_EQ(table.label_name, "class");
  EXPECT_EQ(std::get<DenseTable<double>>(table.data).values, (Buffer<double>{1, 2.5, -3, 400}));
  EXPECT_EQ(table.notes.size(), 1u);
}

TEST(CsvReader, FindsTheDelimiterByContent) {
  for (const char delimiter : {',', ';', '\t'}) {
    std::string text = "a,b,c\n1,2,3\n4,5,6\n";
    std::replace(text.begin(), text.end(), ',', delimiter);
    const Table table = read_text(text);
    EXPECT_EQ(table.feature_names, (Names{"a", "b", "c"})) << delimiter;
    EXPECT_EQ(value_at(table, 1, 2), 6.0);
    EXPECT_EQ(table.format, delimiter == '\t' ? Format::tsv : Format::csv);
  }
}

TEST(CsvReader, UnderstandsQuotes) {
  const Table table = read_text(
      "\"a, or \"\"b\"\"\",\"two\nlines\",class\r\n\"1\", \"2\" ,\"x,\ny\"\r\n3,4,\"\"\r\n");
  EXPECT_EQ(table.feature_names, (Names{"a, or \"b\"", "two\nlines"}));
  EXPECT_EQ(table.label_texts, (Names{"x,\ny", ""}));
  EXPECT_EQ(value_at(table, 0, 1), 2.0);
  EXPECT_EQ(value_at(table, 1, 1), 4.0);
}

TEST(CsvReader, TakesAQuoteInsideAFieldAsACharacter) {
  const Table table = read_text("a,class\n1,5\" pipe\n2,6\" pipe\n");
  EXPECT_EQ(table.label_texts, (Names{"5\" pipe", "6\" pipe"}));
}

TEST(CsvReader, CountsLinesInsideQuotes) {
  EXPECT_TRUE(has(refusal("a,class\n1,\"x\ny\"\noops,z\n"), "table.csv:4: column 0 (a): 'oops'"));
}

TEST(CsvReader, ForgivesByteOrderMarkLineEndsAndBlankLinesAtTheEnd) {
  for (const std::string text : {"\xEF\xBB\xBF"
                                 "a,b\r\n1,2\r\n3,4",
                                 "a,b\n1,2\n3,4\n\n  \n\r\n", "a , b\n 1, 2\n3,+4 \n"}) {
    const Table table = read_text(text);
    EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
    EXPECT_EQ(table.rows(), 2);
    EXPECT_EQ(value_at(table, 1, 1), 4.0);
  }
}

TEST(CsvReader, DecidesByTheFirstLineWhetherThereIsAHeader) {
  EXPECT_EQ(read_text("1,2\n3,4\n").feature_names, (Names{"f0", "f1"}));
  EXPECT_EQ(read_text("1,NA\n3,4\n").rows(), 2);
  EXPECT_EQ(read_text("1,b\n3,4\n").feature_names, (Names{"1", "b"}));
  EXPECT_EQ(read_text("1,2\n3,4\n", {.has_header = true}).feature_names, (Names{"1", "2"}));
  const Table labeled = read_text("1,2,setosa\n3,4,virginica\n", {.label_column = "2"});
  EXPECT_EQ(labeled.label_texts, (Names{"setosa", "virginica"}));
  EXPECT_EQ(read_text("5,6,class\n3,4,u\n", {.label_column = "2"}).rows(), 1);
}

TEST(CsvReader, QuotesCellsAsPrintableTextCutBetweenTwoCharacters) {
  EXPECT_TRUE(has(refusal("a,b\n1,caf\xe9\n2,3\n4,5\n"), "'café' is not a number"));
  const std::string start(39, 'x');
  EXPECT_TRUE(has(refusal("a,b\n1," + start + "\u00e9\n2,3\n4,5\n"),
                  fmt::format("'{}...' is not a number", start)));
}

TEST(CsvReader, FindsColumnsByNameBeforeNumber) {
  const Table table = read_text("0,1,two\n5,6,7\n", {.label_column = "1", .drop = {"two"}});
  EXPECT_EQ(table.feature_names, Names{"0"});
  EXPECT_EQ(table.label_texts, Names{"6"});
  const Table swapped = read_text("b,1,0,c\n5,6,7,8\n", {.label_column = "0"});
  EXPECT_EQ(swapped.label_texts, Names{"7"});
  const Table without_labels = read_text("a,class\n5,6\n", {.label_column = "none"});
  EXPECT_EQ(without_labels.feature_names, Names{"a"});
  ASSERT_EQ(without_labels.notes.size(), 1u);
  EXPECT_EQ(without_labels.notes[0].text, "column 'class' is left out: its name is that of labels");
  EXPECT_EQ(read_text("a,class\n5,6\n", {.label_column = "none", .keep = {"class"}}).cols(), 2);
  EXPECT_EQ(read_text("a,class\n5,6\n", {.keep = {"1"}}).cols(), 2);
}

TEST(CsvReader, SuggestsANearColumnName) {
  const std::string message = message_of<InvalidArgument>(
      [] { read_text("height,weight\n1,2\n", {.label_column = "heigth"}); });
  EXPECT_TRUE(has(message, "label column heigth"));
  EXPECT_TRUE(has(message, "did you mean 'height'"));
}

TEST(CsvReader, TakesIdsFromTheFirstColumnIfItLooksLikeIds) {
  for (const std::string name : {"", "id", "Sample", "sample_id", "name", "index"}) {
    const Table table = read_text(name + ",a,b\ns1,1,2\ns2,3,4\n");
    EXPECT_EQ(table.sample_ids, (Names{"s1", "s2"})) << name;
    EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
    EXPECT_EQ(table.notes.size(), 1u);
  }
  EXPECT_EQ(read_text("a,key\n1,p\n2,q\n", {.id_column = "key"}).sample_ids, (Names{"p", "q"}));
  EXPECT_TRUE(has(refusal("id,a\ns1,1\ns1,2\n"), "'s1' is not a number"));
  EXPECT_TRUE(has(refusal("id,a\ns1,1\n7,2\n"), "'s1' is not a number"));
}

TEST(CsvReader, TakesAFirstColumnWithoutANameAsIdsWhateverItHolds) {
  for (const std::string name : {"", "\"\""}) {
    const Table table = read_text(name + ",a,b\n7,1,2\n5,3,4\n");
    EXPECT_EQ(table.sample_ids, (Names{"7", "5"}));
    EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
    ASSERT_EQ(table.notes.size(), 1u);
    EXPECT_EQ(table.notes[0].text,
              "the first column, which has no name, is taken as the sample ids");
  }
  const Table repeating = read_text(",a,b\n0,1,2\n0,3,4\n");
  EXPECT_TRUE(repeating.sample_ids.empty());
  EXPECT_EQ(repeating.feature_names, (Names{"a", "b"}));
  EXPECT_EQ(repeating.notes.at(0).text,
            "the first column, which has no name, is left out: it holds no ids, for some repeat");
  EXPECT_EQ(read_text(",a\n0,1\n1,2\n", {.keep = {"0"}}).feature_names, (Names{"f0", "a"}));
}

TEST(CsvReader, LeavesGivenNamesToTheirColumns) {
  EXPECT_EQ(read_text(",f0,f1\n7,1,2\n5,3,4\n").feature_names, (Names{"f0", "f1"}));
  EXPECT_EQ(read_text("f1,,f1_\n1,2,3\n").feature_names, (Names{"f1", "f1__", "f1_"}));
}

TEST(CsvReader, TakesNumericIdsAsTheyAreWritten) {
  const std::string text = "a,patient\n1.5,007\n0.5,100000001\n2.5,100000013\n";
  for (const Precision precision : {Precision::as_stored, Precision::single}) {
    const Table table = read_text(text, {.precision = precision});
    EXPECT_EQ(table.sample_ids, (Names{"007", "100000001", "100000013"}));
    EXPECT_EQ(table.feature_names, Names{"a"});
  }
}

TEST(CsvReader, KeepsMissingAndInfiniteValues) {
  const Table table = read_text("a,b,c,d,e,f,g\n,NA,nan,?,NULL,inf,-Inf\n1,2,3,4,5,6,7\n");
  for (Index r = 0; r < 5; ++r) EXPECT_TRUE(std::isnan(value_at(table, 0, r))) << r;
  EXPECT_EQ(value_at(table, 0, 5), HUGE_VAL);
  EXPECT_EQ(value_at(table, 0, 6), -HUGE_VAL);
}

TEST(CsvReader, RoundsNumbersBeyondTheRangeOfDouble) {
  const Table table = read_text("a,b,c\n1e400,-1e-400,4.9e-324\n");
  EXPECT_EQ(value_at(table, 0, 0), HUGE_VAL);
  EXPECT_EQ(value_at(table, 0, 1), 0.0);
  EXPECT_EQ(value_at(table, 0, 2), 4.9e-324);
}

TEST(CsvReader, RefusesTextInANumberColumnAndNamesTheColumn) {
  const std::string message = refusal("a,b\n1,2\n3,low\n");
  EXPECT_TRUE(has(message, "table.csv:3: column 1 (b): 'low' is not a number"));
  const auto handle = [](const std::string& text) {
    const Remedy remedy = remedy_of<DataError>([&] { read_text(text); });
    EXPECT_EQ(remedy.action, Remedy::Action::give_column_a_role);
    return remedy.subject;
  };
  EXPECT_EQ(handle("a,b\n1,2\n3,low\n"), "b");
  EXPECT_EQ(handle("1,2\n3,4.5.6\n"), "1");
  EXPECT_EQ(handle("1,2,setosa\n3,4,setosa\n"), "2");
}

TEST(CsvReader, RefusesARaggedRowNamingItsLine) {
  EXPECT_TRUE(has(refusal("a,b,c\n1,2,3\n4,5\n"), "table.csv:3: 2 fields found, 3 expected"));
  EXPECT_TRUE(has(refusal("a,b\n1,2\n4,5,6\n"), "table.csv:3: 3 fields found, 2 expected"));
  EXPECT_TRUE(has(refusal("a,b\n1,2\nx\n4,5\n"), "table.csv:3: 1 field found, 2 expected"));
}

TEST(CsvReader, ReportsTheFirstBadLineForAnyNumberOfThreads) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 200000; ++i) text += i == 123456 || i > 150000 ? "1,x,3\n" : "1,2.25,3\n";
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    EXPECT_TRUE(has(refusal(text), "table.csv:123458: column 1 (b): 'x'"));
  }
}

TEST(CsvReader, ReadsADecimalCommaForAnyNumberOfThreadsAndPrecision) {
  std::string text = "a;b\n";
  for (int i = 0; i < 30000; ++i) text += fmt::format("{},{};{}\n", i, i % 100, i);
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    const Table table = read_text(text, {.precision = Precision::single});
    EXPECT_EQ(value_at(table, 7007, 0), static_cast<double>(7007.7f));
    EXPECT_EQ(table.notes.at(0).text, "a comma is taken as the decimal sign: '0,0' is read as 0");
  }
}

TEST(CsvReader, NamesManyTextColumnsAtOnce) {
  std::string names;
  std::string cells;
  for (int c = 0; c < 25; ++c) {
    names += fmt::format("c{},", c);
    cells += fmt::format("text {},", c);
  }
  const std::string text = "x," + names + "y\n1," + cells + "2\n3," + cells + "4\n";
  EXPECT_TRUE(has(refusal(text), "25 columns hold text: 1 (c0: 'text 0'), "));
  EXPECT_TRUE(has(refusal(text), "20 (c19: 'text 19'), and 5 more"));
  const Remedy remedy = remedy_of<DataError>([&] { read_text(text); });
  EXPECT_EQ(remedy.action, Remedy::Action::give_columns_roles);
  EXPECT_TRUE(remedy.subject.ends_with("c23,c24"));
}

TEST(CsvReader, RefusesFilesWithoutRows) {
  EXPECT_TRUE(has(refusal(""), "is empty"));
  EXPECT_TRUE(has(refusal("\n \n\n"), "is empty"));
  EXPECT_TRUE(has(refusal("a,b,c\n"), "a header and no rows"));
  EXPECT_TRUE(has(refusal("class\nx\n"), "none of its 1 columns"));
}

TEST(CsvReader, RefusesAQuoteThatNeverCloses) {
  EXPECT_TRUE(has(refusal("a,class\n1,x\n2,\"y\n3,z\n"), "table.csv:3: a quote"));
}

TEST(CsvReader, RefusesBytesThatAreNoText) {
  EXPECT_TRUE(has(refusal(std::string("a,b\0c\n1,2\n", 10)), "zero bytes"));
  EXPECT_TRUE(has(refusal(std::string("\xFF\xFE\0\0a\0\0\0", 8)), "zero bytes"));
}

TEST(CsvReader, NamesMissingFilesAndDirectories) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(has(message_of<IoError>([&] { read_table(directory.file("none.csv")); }),
                  "none.csv: No such file"));
  EXPECT_TRUE(has(message_of<IoError>([&] { read_table(directory.file("")); }), "is a directory"));
}

TEST(CsvReader, StoresSinglePrecisionWhenAsked) {
  const Table table = read_text("a,b\n0.1,16777217.0\n", {.precision = Precision::single});
  EXPECT_EQ(std::get<DenseTable<float>>(table.data).values, (Buffer<float>{0.1f, 16777216.f}));
}

TEST(CsvReader, ReadsThroughGzip) {
  const TemporaryDirectory directory;
  const Table table = read_text("a,class\n1.5,x\n2.5,y\n");
  write_csv(directory.file("t.csv.gz"), table, all_indices(1), ',');
  const std::string bytes = bytes_of(directory.file("t.csv.gz"));
  EXPECT_TRUE(bytes.starts_with("\x1f\x8b"));
  EXPECT_EQ(read_table(directory.file("t.csv.gz")).label_texts, (Names{"x", "y"}));
  const std::string path = directory.with("cut.csv", bytes.substr(0, bytes.size() - 4));
  EXPECT_TRUE(has(message_of<DataError>([&] { read_table(path); }), "damaged or cut off"));
}

TEST(CsvReader, IsTheSameForAnyNumberOfThreads) {
  const TemporaryDirectory directory;
  Table table;
  table.data = test::random_dense<double>(3000, 40, 5);
  for (int r = 0; r < 40; ++r) table.feature_names.push_back(fmt::format("g{}", r));
  write_csv(directory.file("t.csv"), table, all_indices(40), ',');
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    const Table again = read_table(directory.file("t.csv"));
    EXPECT_EQ(std::get<0>(again.data).values, std::get<0>(table.data).values);
  }
}

/// Rows of a file too large to be held as text.
std::string many_rows(std::string_view line_end) {
  std::string text;
  for (Index i = 0; i < 40'000; ++i)
    text += fmt::format("s{},{},{}.{:03},-{}e-3,{}{}", i, i % 3 == 0 ? "x" : "y", i % 97, i % 1000,
                        i, i % 11 == 0 ? "" : "7.25", line_end);
  return text;
}

void expect_same(const Table& table, const Table& expected) {
  EXPECT_EQ(table.feature_names, expected.feature_names);
  EXPECT_EQ(table.sample_ids, expected.sample_ids);
  EXPECT_EQ(table.label_texts, expected.label_texts);
  const auto& values = std::get<DenseTable<double>>(table.data).values;
  const auto& others = std::get<DenseTable<double>>(expected.data).values;
  ASSERT_EQ(values.size(), others.size());
  EXPECT_EQ(std::memcmp(values.data(), others.data(), values.size() * sizeof(double)), 0);
}

TEST(CsvReader, LeavesLargeTextsInTheirFile) {
  const std::string rows = many_rows("\n");
  // A quote anywhere makes the reader hold the text.
  const Table held = read_text("\"id\",class,a,b,c\n" + rows);
  const std::string windows = "id,class,a,b,c\r\n" + many_rows("\r\n");
  for (const std::string& text :
       {"id,class,a,b,c\n" + rows, "id,class,a,b,c\n" + rows.substr(0, rows.size() - 1),
        "\xEF\xBB\xBFid,class,a,b,c\n" + rows + "\n\n", windows, windows + "\r\n",
        "# a comment\nid,class,a,b,c\n" + rows})
    expect_same(read_text(text), held);
}

TEST(CsvReader, HoldsALargeTextOnceALineIsNoRecord) {
  const std::string header = "id,class,a,b,c\n";
  const std::string rows = many_rows("\n");
  const Table expected = read_text(header + rows + "last,x,1,2,3\n");
  for (const std::string end : {"\"last\",x,1,2,3\n", "# comment\nlast,x,1,2,3\n",
                                "\nlast,x,1,2,3\n", " last,x,1,2,3", "last,x,1,2,3\n \n"})
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      expect_same(read_text(header + rows + end), expected);
    }
  // What is wrong before such a line is said as of a text that is held.
  EXPECT_TRUE(has(refusal(header + "s,x,1\n" + rows + "\"open,x,1,2,3\n"),
                  ":40003: a quote is opened here and never closed"));
  EXPECT_TRUE(has(refusal(header + rows + "s,x,1\n# comment\n"), ":40002: 3 fields found"));
}

TEST(CsvReader, MakesRoomForMoreRowsThanTheFirstOnesPromise) {
  std::string text = "id,class,a,b,c\n";
  for (Index i = 0; i < 3000; ++i)
    text += fmt::format("t{},x,{:0300},{:0300},{:0300}\n", i, i, i, i);
  const std::string rows = many_rows("\n");
  const Table expected = read_text("\"id\"" + (text + rows).substr(2));
  expect_same(read_text(text + rows), expected);
  const TemporaryDirectory directory;
  write_csv(directory.file("t.csv.gz"), expected, all_indices(3), ',');
  expect_same(read_table(directory.file("t.csv.gz")), expected);
}

TEST(CsvReader, NamesTheLinesOfLargeFiles) {
  const std::string text = "id,class,a,b,c\n" + many_rows("\n");
  EXPECT_TRUE(
      has(refusal(text + "s,x,1,2\n"), ":40002: 4 fields found, 5 expected (as in line 1)"));
  EXPECT_TRUE(has(refusal(text + "s,x,1,2,3,4\n"), ":40002: 6 fields found"));
  EXPECT_TRUE(has(refusal(text + "s,x,1,oops,3"), ":40002: column 3 (b): 'oops' is not a number"));
  const Table table = read_text(text + "s,x,1,red,3\n", {.drop = {"b"}, .encode = Encode::onehot});
  EXPECT_EQ(table.feature_names, (Names{"a", "c"}));
  EXPECT_EQ(table.rows(), 40'001);
}

TEST(CsvReader, FindsTheStyleOfNumbersInLargeFiles) {
  std::string text = "a;b\n";
  for (Index i = 0; i < 90'000; ++i) text += fmt::format("{},5;1.{:03},25\n", i % 1000, i % 1000);
  const Table table = read_text(text);
  ASSERT_EQ(table.rows(), 90'000);
  EXPECT_EQ(table.view().visit([](const auto& view) { return view.rows(); }), 90'000);
  const auto& values = std::get<DenseTable<double>>(table.data).values;
  EXPECT_EQ(values[2 * 1234], 234.5);
  EXPECT_EQ(values[2 * 1234 + 1], 1234.25);
}

TEST(CsvReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  test::survive_damage(
      directory.with("t.csv", "id,\"#a,b\",c,class\ns1,1.5,-2,\"x\"\ns2,3,4e5,y\n"));
  Table table = read_text("a,class\n1.5,x\n2.5,y\n");
  write_csv(directory.file("t.csv.gz"), table, all_indices(1), ',');
  test::survive_damage(directory.file("t.csv.gz"));
}

TEST(CsvWriter, QuotesWhatNeedsIt) {
  const TemporaryDirectory directory;
  Table table;
  table.data = DenseTable<double>{.rows = 2, .cols = 2, .values = {0.1, 2, 1e300, -0.5}};
  table.feature_names = {"#a,b", "say \"x\""};
  table.sample_ids = {"r 1", "r\n2"};
  table.label_texts = {" p", "q;"};
  write_csv(directory.file("t.csv"), table, all_indices(2), ',');
  EXPECT_EQ(bytes_of(directory.file("t.csv")),
            "id,\"#a,b\",\"say \"\"x\"\"\",class\nr 1,0.1,2,\" p\"\n\"r\n2\",1e+300,-0.5,q;\n");
  const Table again = read_table(directory.file("t.csv"));
  EXPECT_EQ(again.feature_names, table.feature_names);
  EXPECT_EQ(again.sample_ids, table.sample_ids);
  EXPECT_EQ(again.label_texts, table.label_texts);
}

}  // namespace
}  // namespace tamis::test
