#include "io/spill.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/message_of.hpp"
#include "tamis/core/error.hpp"

namespace tamis {
namespace {

namespace fs = std::filesystem;

class Spill : public testing::Test {
 protected:
  Spill() : folder_(fs::path(testing::TempDir()) / "tamis-spill") {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "spilled");
  }

  std::string write(const std::string& text) const {
    const std::string path = (folder_ / "x.csv").string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  TableStream spill(const std::string& text, Index piece_bytes, ReadOptions options = {}) const {
    return spill_table(write(text), options, (folder_ / "spilled").string(), piece_bytes);
  }
  Index files_left() const {
    return std::distance(fs::directory_iterator(folder_ / "spilled"), fs::directory_iterator());
  }

  fs::path folder_;
};

void expect_is(TableStream& stream, const Table& table) {
  EXPECT_EQ(stream.feature_names, table.feature_names);
  EXPECT_EQ(stream.sample_ids, table.sample_ids);
  EXPECT_EQ(stream.label_texts, table.label_texts);
  EXPECT_EQ(stream.label_name, table.label_name);
  ASSERT_EQ(stream.rows->rows(), table.rows());
  OwnedTable rows;
  stream.rows->read(0, table.rows(), rows);
  EXPECT_EQ(std::get<DenseTable<double>>(rows).values,
            std::get<DenseTable<double>>(table.data).values);
}

/// Ids of text with line ends in quotes, numbers, and a class.
std::string some_text(Index rows) {
  std::string text = "# made up\nsample,\"a\"\"1\",b,class\n";
  for (Index i = 0; i < rows; ++i)
    text += (i % 7 == 3 ? "\n" : "") + std::string("\"row\n") + std::to_string(i) + "\"," +
            std::to_string(i) + ".5," + std::to_string(i * i % 13) + (i % 2 ? ",x\n" : ",\n");
  return text;
}

TEST_F(Spill, IsTheTableOfInMemoryHoweverLongPiecesAre) {
  const std::string text = some_text(50);
  const Table whole = read_table(write(text));
  for (const Index piece : {60, 61, 100, 333, 100'000}) {
    SCOPED_TRACE(piece);
    TableStream stream = spill(text, piece);
    expect_is(stream, whole);
    EXPECT_EQ(stream.format, Format::csv);
    EXPECT_EQ(files_left(), 1);
  }
  EXPECT_EQ(files_left(), 0);
}

TEST_F(Spill, TakesTextsWithoutAHeader) {
  std::string text;
  for (Index i = 0; i < 40; ++i) text += std::to_string(i) + ";2;" + std::to_string(-i) + "\n";
  TableStream stream = spill(text, 30);
  expect_is(stream, read_table(write(text)));
}

TEST_F(Spill, NamesTheLineOfABadRow) {
  std::string text = "a,b\n";
  for (Index i = 0; i < 40; ++i) text += std::to_string(i) + ",2\n";
  EXPECT_NE(message_of<DataError>([&] {
              spill(text + "1,2,3\n", 40);
            }).find("x.csv:42: 3 fields found, 2 expected"),
            std::string::npos);
  EXPECT_NE(message_of<DataError>([&] { spill(text + "1,word\n", 40); }).find(":42"),
            std::string::npos);
  EXPECT_EQ(files_left(), 0);
}

TEST_F(Spill, RefusesWhatAPartCannotTell) {
  std::string text = "a;b\n";
  for (Index i = 0; i < 40; ++i) text += std::to_string(i) + ";2\n";
  const std::string message = message_of<DataError>([&] { spill(text + "1,5;2\n", 40); });
  EXPECT_NE(message.find("a comma is taken as the decimal sign"), std::string::npos) << message;
  TableStream said = spill(text + "1,5;2\n", 40, {.decimal = ','});
  EXPECT_EQ(said.rows->rows(), 41);
  const std::string open = message_of<DataError>([&] { spill(text + "\"" + text, 40); });
  EXPECT_NE(open.find(":42: a record of more than 160 bytes begins here"), std::string::npos)
      << open;
}

TEST_F(Spill, RefusesIdsThatComeAgainInAnotherPiece) {
  std::string text = "town,a,b\n";
  for (Index i = 0; i < 40; ++i) text += "t" + std::to_string(i % 25) + "," + "1.5,2\n";
  const std::string message = message_of<DataError>([&] { spill(text, 90); });
  EXPECT_NE(
      message.find("x.csv: column 'town' seemed to hold ids, as its first cells are distinct, "
                   "but 't0' comes again"),
      std::string::npos)
      << message;
  TableStream said = spill(text, 90, {.id_column = "town"});
  EXPECT_EQ(said.rows->rows(), 40);
}

TEST_F(Spill, SaysIfThereIsNoFolder) {
  const std::string nowhere = (folder_ / "nowhere").string();
  EXPECT_EQ(message_of<IoError>([&] { spill_table(write("a\n1\n"), {}, nowhere, 100); }),
            nowhere + ": is no folder to put a temporary file into");
}

TEST_F(Spill, LeavesAloneWhatIsNeitherTextNorCompressed) {
  EXPECT_TRUE(can_spill(write("a,b\n1,2\n"), {}));
  EXPECT_FALSE(can_spill(write("1 1:0.5 2:3\n0 2:1\n"), {}));  // LIBSVM
  EXPECT_FALSE(can_spill(write(std::string("\x93NUMPY\1\0", 8)), {}));
}

}  // namespace
}  // namespace tamis
