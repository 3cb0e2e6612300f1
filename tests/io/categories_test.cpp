#include "io/categories.hpp"

#include <fmt/format.h>

#include <cmath>

#include "reading.hpp"

namespace tamis {
namespace {

using test::read_content;
using test::value_at;
using Texts = std::vector<std::string>;
using Columns = std::vector<Index>;

constexpr auto kPeople =
    "id,height,colour,grade,class\n"
    "p1,1.5,red,b,x\n"
    "p2,1.6,blue,a,y\n"
    "p3,1.7,,b,x\n"
    "p4,1.8,red,c,y\n";

std::vector<double> column_of(const Table& table, Index column) {
  std::vector<double> values;
  for (Index i = 0; i < table.rows(); ++i) values.push_back(value_at(table, i, column));
  return values;
}

std::string refusal_with(Encode encode, const std::string& content) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.with("t.csv", content);
  return test::message_of<DataError>([&] { read_table(path, {.encode = encode}); })
      .substr(path.size());
}

TEST(EncodeTexts, MakesAColumnOfEachCategory) {
  const Table table = read_content(kPeople, {.encode = Encode::onehot});
  EXPECT_EQ(table.feature_names,
            (Texts{"height", "colour=blue", "colour=red", "grade=a", "grade=b", "grade=c"}));
  EXPECT_EQ(table.groups, (Columns{0, 1, 1, 2, 2, 2}));
  EXPECT_EQ(column_of(table, 0), (std::vector<double>{1.5, 1.6, 1.7, 1.8}));
  EXPECT_EQ(column_of(table, 4), (std::vector<double>{1, 0, 1, 0}));
  EXPECT_EQ(value_at(table, 0, 1), 0.0);
  EXPECT_EQ(value_at(table, 0, 2), 1.0);
  EXPECT_TRUE(std::isnan(value_at(table, 2, 1)) && std::isnan(value_at(table, 2, 2)));
  EXPECT_EQ(table.sample_ids, (Texts{"p1", "p2", "p3", "p4"}));
  EXPECT_EQ(table.label_texts, (Texts{"x", "y", "x", "y"}));
  EXPECT_EQ(table.notes.back().text,
            "column 'grade' holds 3 categories ('a', 'b', 'c'), read as 3 columns of 0 and 1 that "
            "stand for one feature");
}

TEST(EncodeTexts, NumbersCategoriesInTheOrderOfTheirNamesOrValues) {
  const Table table = read_content(kPeople, {.encode = Encode::ordinal});
  EXPECT_EQ(table.feature_names, (Texts{"height", "colour", "grade"}));
  EXPECT_EQ(table.groups, (Columns{0, 1, 2}));
  EXPECT_EQ(column_of(table, 2), (std::vector<double>{1, 0, 1, 2}));
  EXPECT_EQ(table.notes.back().text,
            "column 'grade' holds 3 categories ('a', 'b', 'c'), numbered from 0 in this order");
  const Table chromosomes =
      read_content("a,chromosome\n1,10\n2,9\n3,X\n4,9\n5,10\n6,X\n", {.encode = Encode::ordinal});
  EXPECT_EQ(column_of(chromosomes, 1), (std::vector<double>{0, 1, 2, 1, 0, 2}));
}

TEST(EncodeTexts, LeavesColumnsOut) {
  const Table table = read_content(kPeople, {.encode = Encode::drop});
  EXPECT_EQ(table.feature_names, Texts{"height"});
  EXPECT_TRUE(table.groups.empty());
  EXPECT_EQ(table.notes.back().text, "columns of text are left out: 'colour', 'grade'");
  EXPECT_EQ(refusal_with(Encode::drop, "a,b\nx,y\nx,z\n"),
            ": none of its 2 columns is left as a feature");
}

TEST(EncodeTexts, TakesAFirstColumnThatRepeats) {
  const Table table = read_content("site,a\nx,1\ny,2\nx,3\n", {.encode = Encode::onehot});
  EXPECT_EQ(table.feature_names, (Texts{"a", "site=x", "site=y"}));
  EXPECT_TRUE(table.sample_ids.empty());
}

TEST(EncodeTexts, TakesATableWithoutNumbers) {
  const Table table = read_content("a,b\nx,u\ny,u\nx,v\n", {.encode = Encode::onehot});
  EXPECT_EQ(table.feature_names, (Texts{"a=x", "a=y", "b=u", "b=v"}));
  EXPECT_EQ(table.groups, (Columns{0, 0, 1, 1}));
}

TEST(EncodeTexts, MakesDaysOfDates) {
  for (const Encode encode : {Encode::onehot, Encode::ordinal}) {
    const Table table = read_content("a,day\n1,1970-01-03\n2,\n3,1970-01-01\n", {.encode = encode});
    EXPECT_EQ(table.feature_names, (Texts{"a", "day"}));
    EXPECT_EQ(value_at(table, 0, 1), 2.0);
    EXPECT_TRUE(std::isnan(value_at(table, 1, 1)));
    EXPECT_EQ(table.notes.back().text, "column 'day' holds dates, read as days since 1970-01-01");
  }
}

TEST(EncodeTexts, RefusesWhatIsNoCategory) {
  std::string words = "a,comment\n";
  for (int i = 0; i < 30; ++i) words += fmt::format("{},word {}\n", i % 7, i);
  EXPECT_EQ(refusal_with(Encode::onehot, words),
            ": column 1 (comment): 30 different values in 30 rows, 'word 0' for instance, seem to "
            "be no categories");
  EXPECT_EQ(refusal_with(Encode::ordinal, "a,b\n1,0.5\n2,1.25\n3,slip\n4,2.5\n"),
            ": column 1 (b): 4 different values in 4 rows, 'slip' for instance, seem to be no "
            "categories");
}

TEST(EncodeTexts, ChangesNothingWhereThereIsNoText) {
  const std::string content = "a,b,class\n1,2,x\n3,4,y\n";
  const Table plain = read_content(content);
  const Table same = read_content(content, {.encode = Encode::onehot});
  EXPECT_EQ(same.feature_names, plain.feature_names);
  EXPECT_TRUE(same.groups.empty());
  EXPECT_EQ(column_of(same, 1), column_of(plain, 1));
}

TEST(EncodeTexts, KeepsFloat32) {
  const Table table =
      read_content(kPeople, {.encode = Encode::onehot, .precision = Precision::single});
  EXPECT_TRUE(table.view().is_single());
  EXPECT_EQ(table.cols(), 6);
}

TEST(EncodeTexts, WorksForOtherTablesOfTexts) {
  const Table table =
      read_content(R"([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, {"a": 3, "b": "x"}])",
                   {.encode = Encode::onehot});
  EXPECT_EQ(table.feature_names, (Texts{"a", "b=x", "b=y"}));
}

}  // namespace
}  // namespace tamis
