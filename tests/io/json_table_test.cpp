#include "io/json_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files.hpp"
#include "reading.hpp"

namespace tamis::test {
namespace {

/// Two people, whatever the shape of the text.
void expect_people(const Table& table, bool has_ids = true) {
  EXPECT_EQ(table.format, Format{"json"});
  EXPECT_EQ(table.feature_names, (Texts{"height", "age"}));
  EXPECT_EQ(table.label_texts, (Texts{"a", "b"}));
  EXPECT_EQ(table.sample_ids, has_ids ? (Texts{"s1", "s2"}) : Texts{});
  ASSERT_EQ(table.rows(), 2);
  EXPECT_EQ(value_at(table, 0, 0), 1.82);
  EXPECT_EQ(value_at(table, 1, 0), 0.1);
  EXPECT_EQ(value_at(table, 0, 1), 30.0);
  EXPECT_TRUE(std::isnan(value_at(table, 1, 1)));
}

TEST(JsonReader, ReadsLinesOfRecords) {
  expect_people(
      read_content("{\"id\": \"s1\", \"height\": 1.82, \"age\": 30, \"class\": \"a\"}\n\n"
                   "{\"class\": \"b\", \"height\": 0.1, \"age\": null, \"id\": \"s2\"}\n"));
}

TEST(JsonReader, NamesTheLineOfATextAmongNumbers) {
  EXPECT_EQ(
      refusal_of("{\"a\": 1}\n{\"a\": \"x\"}\n{\"a\": 2}\n"),
      ":2: column 0 (a): 'x' is not a number, unlike 2 others of the column: write one in its "
      "place, or nothing if it is missing");
  EXPECT_EQ(refusal_of("[1, 2]\n[3, \"x\"]\n"), ":2: column 1 (f1): 'x' is not a number");
}

TEST(JsonReader, CountsLinesAsTheFileDoes) {
  EXPECT_EQ(refusal_of("{\"a\": 1}\n\n{\"a\": \"x\"}\n"), ":3: column 0 (a): 'x' is not a number");
  EXPECT_EQ(refusal_of("{\"id\": \"a\\nb\", \"a\": 1, \"b\": 2}\n"
                       "{\"id\": \"c\", \"a\": \"x\", \"b\": 2}\n"),
            ":2: column 1 (a): 'x' is not a number");
}

TEST(JsonReader, ReadsAListOfRecords) {  // pandas: orient = records
  expect_people(
      read_content(" [{\"id\":\"s1\",\"height\":1.82,\"age\":30,\"class\":\"a\"},\n"
                   "{\"id\":\"s2\",\"height\":0.1,\"class\":\"b\"}]"));
}

TEST(JsonReader, ReadsWhatPandasWrites) {
  expect_people(
      read_content("{\"columns\":[\"height\",\"age\",\"class\"],\"index\":[\"s1\",\"s2\"],"
                   "\"data\":[[1.82,30.0,\"a\"],[0.1,null,\"b\"]]}"));
  expect_people(read_content("{\"columns\":[\"height\",\"age\",\"class\"],\"index\":[0,1],"
                             "\"data\":[[1.82,30.0,\"a\"],[0.1,null,\"b\"]]}"),
                /*has_ids=*/false);
  expect_people(
      read_content("{\"height\":{\"s1\":1.82,\"s2\":0.1},\"age\":{\"s1\":30.0,\"s2\":null},"
                   "\"class\":{\"s1\":\"a\",\"s2\":\"b\"}}"));
  expect_people(read_content("{\"height\":{\"0\":1.82,\"1\":0.1},\"age\":{\"0\":30.0,\"1\":null},"
                             "\"class\":{\"0\":\"a\",\"1\":\"b\"}}"),
                /*has_ids=*/false);
  expect_people(
      read_content("{\"schema\":{\"fields\":[]},\"data\":["
                   "{\"index\":\"s1\",\"height\":1.82,\"age\":30.0,\"class\":\"a\"},"
                   "{\"index\":\"s2\",\"height\":0.1,\"age\":null,\"class\":\"b\"}]}"));
}

TEST(JsonReader, ReadsMembersInAnyOrder) {  // json.dump(..., sort_keys=True)
  expect_people(
      read_content("{\"columns\":[\"height\",\"age\",\"class\"],"
                   "\"data\":[[1.82,30.0,\"a\"],[0.1,null,\"b\"]],\"index\":[\"s1\",\"s2\"]}"));
  expect_people(
      read_content("{\"data\":[{\"id\":\"s1\",\"height\":1.82,\"age\":30.0,\"class\":\"a\"},"
                   "{\"class\":\"b\",\"height\":0.1,\"id\":\"s2\"}],"
                   "\"schema\":{\"fields\":[{\"name\":\"id\"}]}}"));
}

/// Value of a cell in a table that takes more than one block of cells.
double made_value(Index row, Index column) { return static_cast<double>(1000 * row + column) / 8; }

void expect_made(const Table& table, Index rows, Index columns) {
  ASSERT_EQ(table.rows(), rows);
  ASSERT_EQ(table.cols(), columns);
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < columns; ++c) ASSERT_EQ(value_at(table, i, c), made_value(i, c));
}

TEST(JsonReader, ReadsLargeTablesOfAnyShape) {
  constexpr Index kRows = 301;
  constexpr Index kColumns = 997;
  std::vector<std::string> records;
  std::vector<std::string> rows;
  std::vector<std::string> lists;
  std::vector<std::string> objects;
  for (Index i = 0; i < kRows; ++i) {
    std::vector<std::string> cells;
    std::vector<std::string> named;
    for (Index c = 0; c < kColumns; ++c) {
      cells.push_back(fmt::format("{}", made_value(i, c)));
      named.push_back(fmt::format("\"g{}\":{}", c, cells.back()));
    }
    records.push_back(fmt::format("{{{}}}", fmt::join(named, ",")));
    rows.push_back(fmt::format("[{}]", fmt::join(cells, ", ")));
  }
  for (Index c = 0; c < kColumns; ++c) {
    std::vector<std::string> cells;
    std::vector<std::string> named;
    for (Index i = 0; i < kRows; ++i) {
      cells.push_back(fmt::format("{}", made_value(i, c)));
      named.push_back(fmt::format("\"{}\":{}", i, cells.back()));
    }
    lists.push_back(fmt::format("\"g{}\":[{}]", c, fmt::join(cells, ",")));
    objects.push_back(fmt::format("\"g{}\":{{{}}}", c, fmt::join(named, ",")));
  }
  for (const std::string& text :
       {fmt::format("{}", fmt::join(records, "\n")), fmt::format("[{}]", fmt::join(records, ",")),
        fmt::format("[{}]", fmt::join(rows, ",")), fmt::format("{{{}}}", fmt::join(lists, ",")),
        fmt::format("{{{}}}", fmt::join(objects, ","))})
    expect_made(read_content(text), kRows, kColumns);
}

TEST(JsonReader, ReadsAListForEachColumn) {
  expect_people(read_content(
      "{\"id\":[\"s1\",\"s2\"],\"height\":[1.82,0.1],\"age\":[30,null],\"class\":[\"a\",\"b\"]}"));
}

TEST(JsonReader, ReadsRowsWithoutNames) {  // pandas: orient = values
  const Table table = read_content("[[1, 2.5], [3, true]]");
  EXPECT_EQ(table.feature_names, (Texts{"f0", "f1"}));
  EXPECT_EQ(value_at(table, 1, 0), 3.0);
  EXPECT_EQ(value_at(table, 1, 1), 1.0);
}

TEST(JsonReader, GivesRecordsThatLackAColumnAMissingCell) {
  const Table table = read_content("[{\"a\":1},{\"b\":2,\"a\":3}]");
  EXPECT_EQ(table.feature_names, (Texts{"a", "b"}));
  EXPECT_TRUE(std::isnan(value_at(table, 0, 1)));
  EXPECT_EQ(value_at(table, 1, 1), 2.0);
}

TEST(JsonReader, KeepsTextsAndNumbersAsTheyAre) {
  const Table table = read_content(
      "[{\"id\":\"a, \\\"b\\\"\\n c\",\"x\":12345678901234567890,\"y\":2.2250738585072014e-308},"
      "{\"id\":\"\\u00e9\",\"x\":-9007199254740993,\"y\":-0.5}]",
      {.keep = {"y"}});
  EXPECT_EQ(table.sample_ids, (Texts{"a, \"b\"\n c", "\u00e9"}));
  EXPECT_EQ(value_at(table, 0, 0), 12345678901234567890.0);
  EXPECT_EQ(value_at(table, 0, 1), 2.2250738585072014e-308);
}

TEST(JsonReader, RefusesWhatIsNoTable) {
  EXPECT_TRUE(has(refusal_of("{\"a\":1}\n{\"a\":}\n"), ":2: parse error"));
  EXPECT_TRUE(has(refusal_of("[{\"a\":1},"), ": parse error"));
  EXPECT_EQ(refusal_of("[]"), ": holds no rows");
  EXPECT_EQ(refusal_of("[1, 2]"), ": '1' is neither a record nor a list of cells");
  EXPECT_EQ(refusal_of("[{\"a\":1},{\"a\":[1,2]}]"),
            ": record 2: column 'a' holds a list, not a number or a text");
  EXPECT_EQ(refusal_of("[{\"a\":{\"b\":1}}]"),
            ": record 1: column 'a' holds an object, not a number or a text");
  EXPECT_EQ(refusal_of("{\"a\":[1,2],\"b\":[1]}"), ": column 'a' has 2 cells, column 'b' has 1");
  EXPECT_EQ(refusal_of("{\"a\":{\"x\":1,\"y\":2},\"b\":{\"x\":1,\"z\":2}}"),
            ": row 1 of a column is 'y', that of another 'z'");
  EXPECT_EQ(refusal_of("{\"a\":1}\n{\"a\":[1,2]}"),
            ": record 2: column 'a' holds a list, not a number or a text");
  EXPECT_EQ(refusal_of("{\"a\":[1,2]}\n{\"a\":1}"),
            ": record 1: column 'a' holds a list, not a number or a text");
  EXPECT_EQ(refusal_of("{\"a\":[1,2],\"b\":1}"),
            ": record 1: column 'a' holds a list, not a number or a text");
  EXPECT_EQ(refusal_of("[[1,2],[1]]"), ":2: 1 field found, 2 expected");
  EXPECT_EQ(refusal_of("{\"columns\":[[1]],\"data\":[[1]]}"), ": the name of column 0 is no text");
}

TEST(JsonReader, RefusesDeepNesting) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(refusal_of(deep), ": record 1: column 0 holds a list, not a number or a text");
  EXPECT_EQ(refusal_of("[1]\n" + deep + std::string(100'000, ']')),
            ": record 2: column 0 holds a list, not a number or a text");
  EXPECT_EQ(refusal_of("{\"columns\":" + deep), ": the name of column 0 is no text");
  EXPECT_EQ(refusal_of("{\"schema\":{\"fields\":" + deep),
            ": lists and objects lie more than 16 deep in each other");
}

TEST(JsonReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  test::survive_damage(
      directory.with("t.json", "[{\"a\":1.5,\"b\":\"x\"},{\"a\":null,\"b\":\"y\"}]"));
  test::survive_damage(
      directory.with("t.json", "{\"a\":1.5,\"class\":\"x\"}\n{\"a\":2,\"class\":\"y\"}\n"));
  test::survive_damage(directory.with(
      "t.json", "{\"columns\":[\"a\",\"b\"],\"index\":[\"r\"],\"data\":[[1,true]]}"));
}

}  // namespace
}  // namespace tamis::test
