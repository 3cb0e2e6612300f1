#include "io/arff.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files.hpp"
#include "reading.hpp"

namespace tamis::test {
namespace {

const std::string kHeader =
    "% people\n\n@RELATION 'tall people'\n@attribute height REAL\n"
    "@attribute 'shoe\\'s size' numeric % in Europe\n@attribute species {elf, 'mountain troll'}\n";

void expect_people(const Table& table) {
  EXPECT_EQ(table.format, Format{"arff"});
  EXPECT_EQ(table.feature_names, (Texts{"height", "shoe's size"}));
  EXPECT_EQ(table.label_texts, (Texts{"elf", "mountain troll", ""}));
  EXPECT_EQ(table.label_name, "species");
  EXPECT_EQ(value_at(table, 0, 0), 1.5);
  EXPECT_EQ(value_at(table, 1, 0), 0.0);
  EXPECT_EQ(value_at(table, 2, 1), -2.0);
  EXPECT_TRUE(std::isnan(value_at(table, 1, 1)));
}

TEST(ArffReader, ReadsDenseRows) {
  const Table table =
      read_content(kHeader + "@DATA\n1.5, 43 ,elf\n% none\n0,?,'mountain troll'\n\n3,-2,?\n");
  EXPECT_FALSE(table.view().is_sparse());
  expect_people(table);
  EXPECT_TRUE(has(table.notes.front().text,
                  "attribute 'species', which is nominal and the last, is taken as the labels"));
}

TEST(ArffReader, ReadsMoreThanAPieceOfTheFile) {
  constexpr Index kRows = 60'000;
  std::string text = "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n";
  for (Index i = 0; i < kRows; ++i) text += fmt::format("{}.5,-{}.25\n", (i * 7919) % kRows, i);
  const Table table = read_content(text);
  ASSERT_EQ(table.rows(), kRows);
  for (Index i = 0; i < kRows; ++i) {
    ASSERT_EQ(value_at(table, i, 0), static_cast<double>((i * 7919) % kRows) + 0.5);
    ASSERT_EQ(value_at(table, i, 1), -static_cast<double>(i) - 0.25);
  }
  EXPECT_EQ(refusal_of(text + "1,2\n3\n"), ":60006: 1 values found, 2 expected");
}

TEST(ArffReader, ReadsSparseRowsWithWhatTheyLeaveOut) {
  Table table = read_content(
      kHeader + "@data\n{0 1.5, 1 43}\n{1 ?,2 'mountain troll'}\n{ 0 3 , 1 -2, 2 ?}\n");
  EXPECT_TRUE(table.view().is_sparse());
  EXPECT_EQ(table.label_texts.back(), "?");
  table.label_texts.back().clear();
  expect_people(table);
}

TEST(ArffReader, PrefersAnAttributeThatIsNamedLikeLabels) {
  const std::string text =
      "@relation r\n@attribute class {a,b}\n@attribute x numeric\n@attribute z {0,1}\n@data\n";
  for (const std::string rows : {"b,1,1\na,2,0\n", "{0 b,1 1,2 1}\n{1 2}\n"}) {
    const Table table = read_content(text + rows);
    EXPECT_EQ(table.label_texts, (Texts{"b", "a"}));
    EXPECT_EQ(table.feature_names, (Texts{"x", "z"}));
    EXPECT_EQ(value_at(table, 0, 1), 1.0);
  }
  EXPECT_EQ(
      read_content(text + "b,1,1\na,2,0\n", {.label_column = "z", .drop = {"class"}}).label_texts,
      (Texts{"1", "0"}));
}

TEST(ArffReader, SaysWhereTextsAreNoFeatures) {
  const std::string text =
      "@relation r\n@attribute x numeric\n@attribute colour {red,green}\n@attribute z numeric\n"
      "@data\n";
  EXPECT_TRUE(has(refusal_of(text + "1,red,5\n2,red,6\n"), "colour"));
  EXPECT_EQ(refusal_of(text + "{0 1}\n{0 2,1 green}\n"),
            ": attribute 'colour' holds texts, not numbers");
  EXPECT_EQ(read_content(text + "{0 1}\n{0 2,1 green}\n", {.drop = {"colour"}}).cols(), 2);
}

TEST(ArffReader, SaysWhichLineIsWrong) {
  EXPECT_EQ(refusal_of(kHeader + "@data\n1,2\n"), ":8: 2 values found, 3 expected");
  EXPECT_EQ(refusal_of(kHeader + "@data\n1,2,elf,4\n"), ":8: more than 3 values");
  EXPECT_EQ(refusal_of(kHeader + "@data\n1,2,'elf\n"),
            ":8: a quote is opened here and never closed");
  EXPECT_EQ(refusal_of(kHeader + "@data\n{0 1}\n1,2,elf\n"),
            ":9: a dense row stands among sparse ones");
  EXPECT_EQ(refusal_of(kHeader + "@data\n{3 1}\n"),
            ":8: '3' is no attribute; there are 3, counted from 0");
  EXPECT_EQ(refusal_of(kHeader + "@data\n{1 1,0 2}\n"), ":8: attribute 0 follows attribute 1");
  EXPECT_EQ(refusal_of(kHeader + "@data\n{0 1\n"), ":8: a comma or a closing brace is missing");
  EXPECT_EQ(refusal_of(kHeader + "@data\n{0 x}\n"), ":8: attribute 'height': 'x' is not a number");
  EXPECT_EQ(refusal_of(kHeader + "@data\n"), ": holds no rows");
  EXPECT_EQ(refusal_of(kHeader), ": has no @data");
  EXPECT_EQ(refusal_of("@relation r\n@data\n1\n"), ":2: there are data, but no attributes");
  EXPECT_EQ(refusal_of("@relation r\n@attribute x {a,\n"), ":2: the list of values has no end");
  EXPECT_EQ(refusal_of("@relation r\n@attribute x {'a' 'b'}\n"),
            ":2: a comma is missing behind value 'a'");
  EXPECT_EQ(refusal_of("@relation r\n@attribute x relational\n"),
            ":2: attribute 'x' is of type 'relational'; numeric, real, integer, string, date and "
            "lists of values are read");
  EXPECT_EQ(refusal_of("@relation r\n@attributes x\n"),
            ":2: '@attributes' is neither @relation, @attribute nor @data");
}

TEST(ArffReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  test::survive_damage(directory.with("t.arff", kHeader + "@data\n1.5,43,elf\n0,?,'x'\n"));
  test::survive_damage(directory.with("t.arff", kHeader + "@data\n{0 1.5,1 43}\n{1 ?,2 elf}\n"));
}

TEST(ArffWriter, WritesWhatWekaReads) {
  const TemporaryDirectory directory;
  Table table{.data = DenseTable<double>{.rows = 2, .cols = 2, .values = {}},
              .feature_names = {"it's", "b"},
              .sample_ids = {"s 1", "s2"},
              .label_texts = {"x y", ""},
              .label_name = "kind"};
  auto& values = std::get<DenseTable<double>>(table.data).values;
  values.resize(4);
  std::ranges::copy(std::vector<double>{0.1, 2, std::nan(""), 0}, values.begin());
  write_arff(directory.file("t.arff"), table, all_indices(2));
  EXPECT_EQ(test::bytes_of(directory.file("t.arff")),
            "@relation tamis\n@attribute id string\n@attribute 'it\\'s' numeric\n"
            "@attribute 'b' numeric\n@attribute 'kind' {'x y'}\n@data\n"
            "'s 1',0.1,2,'x y'\n's2',?,0,?\n");
}

}  // namespace
}  // namespace tamis::test
