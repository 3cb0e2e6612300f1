#include "io/gct.hpp"

#include <fmt/format.h>

#include "files.hpp"
#include "reading.hpp"

namespace tamis::test {
namespace {

const std::string kOlder =
    "#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\nTP53\ttumor protein\t1\t2.5\t3\n"
    "EGFR\t\t4\tNA\t-6e1\n";
const std::string kNewer =
    "#1.3\n2\t3\t1\t2\nid\tsymbol\ts1\ts2\ts3\nclass\tna\ta\tb\ta\ndose\tna\t1\t2\t3\n"
    "TP53\tp\t1\t2.5\t3\nEGFR\tq\t4\tNA\t-6e1\n";

TEST(GctReader, TurnsGenesIntoFeatures) {
  for (const std::string& text : {kOlder, kNewer}) {
    const Table table = read_content(text);
    EXPECT_EQ(table.format, Format{"gct"});
    EXPECT_EQ(table.feature_names, (Texts{"TP53", "EGFR"}));
    EXPECT_EQ(table.sample_ids, (Texts{"s1", "s2", "s3"}));
    ASSERT_EQ(table.rows(), 3);
    EXPECT_EQ(value_at(table, 1, 0), 2.5);
    EXPECT_EQ(value_at(table, 2, 1), -60.0);
    EXPECT_TRUE(std::isnan(value_at(table, 1, 1)));
  }
}

TEST(GctReader, FindsLabelsInWhatIsSaidOfSamples) {
  EXPECT_EQ(read_content(kOlder).label_texts, Texts{});
  EXPECT_EQ(read_content(kNewer).label_texts, (Texts{"a", "b", "a"}));
  EXPECT_EQ(read_content(kNewer).label_name, "class");
  EXPECT_EQ(read_content(kNewer, {.label_column = "dose"}).label_texts, (Texts{"1", "2", "3"}));
  EXPECT_EQ(read_content(kNewer, {.label_column = "none"}).label_texts, Texts{});
}

TEST(GctReader, SaysWhichLineIsWrong) {
  EXPECT_EQ(refusal_of("#1.2\n2\n"), ":2: 1 numbers found, 2 expected: of genes, of samples");
  EXPECT_EQ(refusal_of("#1.2\n2\tx\n"), ":2: 'x' is not a number of rows or columns");
  EXPECT_EQ(refusal_of("#1.2\n0\t3\n"), ":2: a table of 0 genes and 3 samples is empty");
  EXPECT_EQ(refusal_of("#1.2\n1\t2\nName\tDescription\ts1\nA\t\t1\t2\n"),
            ":3: 3 cells found, 4 expected");
  EXPECT_EQ(refusal_of("#1.2\n1\t1\nName\tDescription\ts1\nA\t\tx\n"),
            ":4: column 2: 'x' is not a number");
  EXPECT_EQ(refusal_of("#1.2\n2\t1\nName\tDescription\ts1\nA\t\t1\n"), ":5: the file ends here");
  EXPECT_EQ(refusal_of("#1.2\n1\t1\nName\tDescription\ts1\nA\t\t1\nB\t\t1\n"),
            ":5: more than the 1 genes promised");
  EXPECT_EQ(refusal_of("#1.2\n2\t1\nName\tDescription\ts1\nA\t\t1\nA\t\t1\n"),
            ": genes 0 and 1 (from 0) are both named 'A'");
  EXPECT_TRUE(has(refusal_of("#1.2\n99999999\t99999999\n"), "are promised, more than"));
}

TEST(GctReader, SurvivesDamage) {
  const TemporaryDirectory directory;
  test::survive_damage(directory.with("t.gct", kOlder));
  test::survive_damage(directory.with("t.gct", kNewer));
}

}  // namespace
}  // namespace tamis::test
