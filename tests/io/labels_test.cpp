#include "tamis/io/labels.hpp"

#include <cmath>

#include "files.hpp"
#include "io/npy_header.hpp"
#include "reading.hpp"

namespace tamis::test {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<Index>;

TEST(EncodeLabels, NumbersClassesInAscendingOrderOfTheirNames) {
  const EncodedLabels encoded = encode_labels({"b", "a", "", "c", "NA", "a", "?"});
  EXPECT_EQ(encoded.labels, (Numbers{1, 0, -1, 2, -1, 0, -1}));
  EXPECT_EQ(encoded.class_names, (Texts{"a", "b", "c"}));
  EXPECT_TRUE(encoded.notes.empty());
}

TEST(EncodeLabels, OrdersNumbersByValueAndJoinsEqualOnes) {
  const EncodedLabels encoded = encode_labels({"10", "9", "9.0", "nan", "+10"});
  EXPECT_EQ(encoded.labels, (Numbers{1, 0, 0, -1, 1}));
  EXPECT_EQ(encoded.class_names, (Texts{"9", "10"}));
}

TEST(EncodeLabels, CallsNumbersByTheirShortestFormAndCodesAsTheyAreWritten) {
  EXPECT_EQ(encode_labels({"1.0", "2.50", "1e3", "1"}).class_names, (Texts{"1", "2.5", "1000"}));
  EXPECT_EQ(encode_labels({"01", "02", "01"}).class_names, (Texts{"01", "02"}));
  EXPECT_EQ(encode_labels({"+1", "-1", "+1"}).class_names, (Texts{"-1", "+1"}));
  EXPECT_EQ(encode_labels({"1.0", "v2.0"}).class_names, (Texts{"1.0", "v2.0"}));
}

TEST(EncodeLabels, TakesMinusOneAsUnlabeledOnlyAmongNumbers) {
  EXPECT_EQ(encode_labels({"-1", "0", "-1.0", "2"}).labels, (Numbers{-1, 0, -1, 1}));
  EXPECT_EQ(encode_labels({"-1", "a"}).labels, (Numbers{0, 1}));
  EXPECT_EQ(encode_labels({"-1", "-1"}).labels, (Numbers{-1, -1}));
}

TEST(EncodeLabels, TakesMinusOneAsAClassIfElseThereWereOneOnly) {
  const EncodedLabels binary = encode_labels({"-1", "+1", "", "+1"});
  EXPECT_EQ(binary.labels, (Numbers{0, 1, -1, 1}));
  ASSERT_EQ(binary.notes.size(), 1u);
  EXPECT_EQ(binary.notes[0].text,
            "label -1 is taken as a class (1 row), for there is only one other");
  EXPECT_EQ(binary.notes[0].remedy.subject, "-1");
  EXPECT_EQ(encode_labels({"-1", "+1", "+1"}, Texts{"-1"}).labels, (Numbers{-1, 0, 0}));
}

TEST(EncodeLabels, NamesClassesThatReadLikeUnknown) {
  const EncodedLabels encoded = encode_labels({"ALL", "Unknown", "AML", "."});
  ASSERT_EQ(encoded.notes.size(), 2u);
  EXPECT_EQ(encoded.notes[0].text, "label '.' is taken as a class");
  EXPECT_EQ(encoded.notes[1].text, "label 'Unknown' is taken as a class");
  EXPECT_TRUE(encoded.notes[1].is_warning);
  EXPECT_TRUE(encode_labels({"ALL", "Unknown", "AML"}, Texts{"Unknown"}).notes.empty());
}

TEST(EncodeLabels, RefusesMeasurements) {
  Texts texts;
  for (int i = 0; i < 60; ++i) texts.push_back(std::to_string(0.5 + i));
  EXPECT_EQ(message_of<DataError>([&] { encode_labels(texts); }),
            "the labels are 60 different numbers in 60 rows: measurements, not classes");
  for (std::size_t i = 0; i < 60; ++i) texts.push_back(texts[i]);
  EXPECT_EQ(encode_labels(texts).class_names.size(), 60u);
  Texts names;
  for (int i = 0; i < 60; ++i) names.push_back("strain " + std::to_string(i));
  EXPECT_EQ(encode_labels(names).class_names.size(), 60u);
}

TEST(EncodeValues, ReadsNumbersAndWhatIsNotKnown) {
  const std::vector<double> values = encode_values({"1.5", "", "-1", "NA", "2e3", "?"});
  ASSERT_EQ(values.size(), 6u);
  EXPECT_EQ(values[0], 1.5);
  EXPECT_EQ(values[2], -1.0);
  EXPECT_EQ(values[4], 2000.0);
  for (const std::size_t i : {1, 3, 5}) EXPECT_TRUE(std::isnan(values[i]));
  EXPECT_TRUE(std::isnan(encode_values({"1.5", "lost"}, Texts{"lost"})[1]));
}

TEST(EncodeValues, NamesATextAmongNumbers) {
  const auto encode = [] { encode_values({"1.5", "lost"}); };
  EXPECT_EQ(message_of<DataError>(encode),
            "the target of row 1 is 'lost', not a number to predict");
  EXPECT_EQ(remedy_of<DataError>(encode).subject, "lost");
  EXPECT_EQ(message_of<DataError>([] {
              encode_values({"1.5", ""}, Texts{"lost"});
            }),
            "the target of row 1 is '', not a number to predict");
}

TEST(IsContinuous, TellsMeasurementsFromClasses) {
  EXPECT_TRUE(is_continuous({"1", "2.5", ""}));
  EXPECT_FALSE(is_continuous({"1", "2", "-1", "NA"}));
  EXPECT_FALSE(is_continuous({"1.5", "a"}));
  EXPECT_TRUE(is_continuous({"1.5", "a"}, Texts{"a"}));
  EXPECT_FALSE(is_continuous({}));
  Texts whole;
  for (int i = 0; i < 20; ++i) whole.insert(whole.end(), 3, std::to_string(i));
  EXPECT_FALSE(is_continuous(whole));
  whole.emplace_back("20");
  EXPECT_TRUE(is_continuous(whole));
}

TEST(EncodeLabels, TakesTheListedTextsInsteadOfTheDefaults) {
  const EncodedLabels encoded = encode_labels({"-1", "1", "none"}, Texts{"none"});
  EXPECT_EQ(encoded.labels, (Numbers{0, 1, -1}));
}

class ReadLabels : public testing::Test {
 protected:
  Texts read(const std::string& text, Index rows, const Texts& ids = {}) const {
    return read_labels(directory_.with("y.csv", text), rows, ids).texts;
  }
  std::string refusal(const std::string& text, Index rows, const Texts& ids = {}) const {
    return message_of<DataError>([&] { read(text, rows, ids); });
  }
  TemporaryDirectory directory_;
};

TEST_F(ReadLabels, ReadsOnePerLineWithOrWithoutHeader) {
  EXPECT_EQ(read("a\nb\n", 2), (Texts{"a", "b"}));
  EXPECT_EQ(read("Label\r\na\r\nb", 2), (Texts{"a", "b"}));
}

TEST_F(ReadLabels, TakesEmptyLinesAsUnlabeledRows) {
  EXPECT_EQ(read("a\n\nb\n\n", 4), (Texts{"a", "", "b", ""}));
  EXPECT_EQ(read("a\n\nb\n\n\n", 3), (Texts{"a", "", "b"}));
}

TEST_F(ReadLabels, MatchesIdsAndLeavesTheOthersUnlabeled) {
  EXPECT_EQ(read("id,label\ns3,x\ns1,y\n", 3, {"s1", "s2", "s3"}), (Texts{"y", "", "x"}));
  EXPECT_EQ(read("2,x\n0,y\n", 3), (Texts{"y", "", "x"}));
  EXPECT_EQ(read("2,y\n0,x\n", 3), (Texts{"x", "", "y"}));
}

TEST_F(ReadLabels, RefusesAnotherLength) {
  EXPECT_TRUE(has(refusal("a\nb\n", 3), "y.csv: 2 labels, but the table has 3 rows"));
  EXPECT_TRUE(has(refusal("a\nb\nc\n", 2), "3 labels"));
  EXPECT_TRUE(has(refusal("", 2), "is empty"));
}

TEST_F(ReadLabels, NamesUnknownAndRepeatedIds) {
  EXPECT_TRUE(has(refusal("sample1,x\nsample9,y\n", 2, {"sample1", "sample2"}), "y.csv:2: "));
  EXPECT_TRUE(has(refusal("sample9,u\n", 1, {"sample1"}), "did you mean 'sample1'"));
  EXPECT_TRUE(has(refusal("s1,x\ns1,y\n", 1, {"s1"}), "y.csv:2: 's1' has a label already"));
  EXPECT_TRUE(has(refusal("5,x\n", 2), "rows 0 to 1"));
  EXPECT_TRUE(has(refusal("1,x\n0,x,3\n", 2), "y.csv:2: 3 fields found, 2 expected"));
}

TEST_F(ReadLabels, FindsIdsInAnyColumnAndLabelsByName) {
  const Texts ids = {"s1", "s2", "s3"};
  const std::string text = "batch\tclass\tsample\n1\tx\ts3\n2\ty\ts1\n";
  EXPECT_EQ(read(text, 3, ids), (Texts{"y", "", "x"}));
  const LabelTexts labels = read_labels(directory_.with("y.tsv", text), 3, ids, "batch");
  EXPECT_EQ(labels.texts, (Texts{"2", "", "1"}));
  EXPECT_EQ(labels.name, "batch");
  EXPECT_TRUE(labels.notes.empty());
  EXPECT_EQ(read_labels(directory_.file("y.tsv"), 3, ids).notes.at(0).text,
            "column 'class' is taken as the labels");
}

TEST_F(ReadLabels, TakesAnyHeader) {
  EXPECT_EQ(read("patient_id,treatment\ns2,drug\ns1,none\n", 2, {"s1", "s2"}),
            (Texts{"none", "drug"}));
  EXPECT_EQ(read("treatment\na\nb\na\n", 3), (Texts{"a", "b", "a"}));
  EXPECT_TRUE(has(refusal("a\nb\na\na\n", 3), "4 labels, but the table has 3 rows"));
  EXPECT_TRUE(has(refusal("1\n2\n3\n4\n", 3), "4 labels, but the table has 3 rows"));
}

TEST_F(ReadLabels, TakesLinesInOrderWhereNothingHasIds) {
  const std::string path = directory_.with("y.csv", "name,class\nann,x\nbob,y\n");
  const LabelTexts labels = read_labels(path, 2, {});
  EXPECT_EQ(labels.texts, (Texts{"x", "y"}));
  EXPECT_EQ(labels.notes.at(0).text,
            "its 2 lines are taken in the order of the rows, for the table has no ids");
}

TEST_F(ReadLabels, AsksWhichOfSeveralColumnsItIs) {
  const std::string text = "id,sex,stage\ns1,f,2\ns2,m,3\n";
  EXPECT_TRUE(has(refusal(text, 2, {"s1", "s2"}),
                  "y.csv: which of its 2 columns 'sex', 'stage' holds the labels?"));
  EXPECT_EQ(remedy_of<DataError>([&] {
              read(text, 2, {"s1", "s2"});
            }).action,
            Remedy::Action::name_label_column);
  EXPECT_TRUE(has(message_of<InvalidArgument>([&] {
                    read_labels(directory_.with("y.csv", text), 2, {"s1", "s2"}, "stagee");
                  }),
                  "did you mean 'stage'"));
}

TEST_F(ReadLabels, KnowsWhoseNamesAFileOfPairsHas) {
  const std::string path = directory_.with("p.csv", "0,2,must\n1,2,cannot,0.5\n");
  EXPECT_TRUE(names_samples(path, 3, {}));
  EXPECT_TRUE(names_samples(path, 3, {"0", "1", "2"}));
  EXPECT_FALSE(names_samples(path, 0, {}));
}

TEST_F(ReadLabels, KnowsWhoseNamesAFileHas) {
  const std::string path = directory_.with("y.csv", "id,label\ns1,x\ns2,y\n");
  EXPECT_TRUE(names_samples(path, 3, {"s2", "s1", "s9"}));
  EXPECT_FALSE(names_samples(path, 2, {"g1", "g2"}));
  EXPECT_FALSE(names_samples(directory_.with("y.txt", "s1\ns2\n"), 2, {"s1", "s2"}));
}

const Texts kMadeIds = {"s7", "s0", "s1", "s2", "s3", "s4", "s5", "s6"};
const Texts kMadeLabels = {"", "x", "y", "x", "", "y", "x", "y"};

TEST(LabelFiles, TakeAColumnOfAWorkbook) {
  const LabelTexts labels = read_labels(test::made_file("pandas.xlsx"), 8, kMadeIds, "class");
  EXPECT_EQ(labels.texts, kMadeLabels);
  EXPECT_EQ(labels.name, "class");
  EXPECT_EQ(read_labels(test::made_file("pandas.xlsx"), 8, kMadeIds).texts, kMadeLabels);
  EXPECT_TRUE(names_samples(test::made_file("pandas.xlsx"), 8, kMadeIds));
}

TEST(LabelFiles, TakeAColumnOfObs) {
  const std::string path = test::made_file("csr.h5ad");
  EXPECT_EQ(read_labels(path, 8, kMadeIds).texts, kMadeLabels);
  const LabelTexts batch = read_labels(path, 8, kMadeIds, "batch");
  EXPECT_EQ(batch.texts, (Texts{"7", "0", "1", "2", "3", "4", "5", "6"}));
  EXPECT_EQ(batch.name, "batch");
  EXPECT_EQ(message_of<InvalidArgument>([&] { read_labels(path, 8, kMadeIds, "bach"); }),
            path +
                ": label column bach: there is no such column among its 3 (names, or numbers "
                "from 0); did you mean 'batch'?");
}

TEST(LabelFiles, TakeTextsOfAnArray) {
  const TemporaryDirectory directory;
  const std::string path =
      directory.with("y.npy", npy_header_text("|S2", "(3,)") + std::string("aab\0c\0", 6));
  EXPECT_EQ(read_labels(path, 3, {}).texts, (Texts{"aa", "b", "c"}));
  EXPECT_EQ(message_of<DataError>([&] {
              read_labels(directory.with("o.npy", npy_header_text("|O", "(3,)") + "x"), 3, {});
            }),
            directory.file("o.npy") +
                ": holds Python objects, which only Python can read; save it as texts or numbers, "
                "in Python with .astype(str) or .astype(float)");
}

}  // namespace
}  // namespace tamis::test
